import type { WritableItem } from '../item-writer.ts'

/** Values that come from JSON contain no functions. (D121) */
const isWritable = (value: object): value is WritableItem =>
  typeof (value as Partial<WritableItem>).writeJson === 'function'

/** The same text as `JSON.stringify`, also for an item that writes itself. */
export const itemToJson = (item: object): string =>
  isWritable(item) ? item.writeJson() : JSON.stringify(item)

/** The same text as `JSON.stringify`, also for a list with items that write themselves. Its items come first. */
export const toJson = (body: unknown): string => {
  const { items, ...rest } = body as { items?: object[] }
  if (!items?.[0] || !isWritable(items[0])) return JSON.stringify(body)
  let json = `{"items":[${items[0].writeJson()}`
  for (let i = 1; i < items.length; i += 1) json += `,${(items[i] as WritableItem).writeJson()}`
  const tail = JSON.stringify(rest)
  return tail === '{}' ? `${json}]}` : `${json}],${tail.slice(1)}`
}
