/** One value that is read now and then, and kept in between. */
interface MemoizedValue<Value> {
  /** The kept value, else a new one; those who ask while it is read wait for it. A failure is not kept. */
  get(): Promise<Value>
  invalidate(): void
}

/** @param ms how long a value is believed, milliseconds */
export const memoizeFor = <Value>(
  ms: number,
  read: () => Promise<Value>,
  now = () => performance.now(),
): MemoizedValue<Value> => {
  let current: { at: number; value: Promise<Value> } | undefined
  return {
    get: () => {
      if (current === undefined || now() - current.at > ms) {
        const reading = { at: now(), value: read() }
        current = reading
        reading.value.catch(() => {
          if (current === reading) current = undefined
        })
      }
      return current.value
    },
    invalidate: () => {
      current = undefined
    },
  }
}
