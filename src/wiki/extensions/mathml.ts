import { LRUCache } from 'lru-cache'
import temml from 'temml'
import { RENDER_LIMITS } from '../../limits/rendering.ts'

/** Formulas that were read before. Most formulas of a page are short, and stand in it several times. */
const known = new LRUCache<string, { mathml: string | null }>({
  maxSize: RENDER_LIMITS.formulaCacheCharacters,
  sizeCalculation: ({ mathml }, key) => 100 + key.length + (mathml?.length ?? 0),
})

/**
 * The MathML of a formula, with its source as annotation. Null if it is not TeX, not all of it is supported, or it is
 * nested too deep.
 */
export const mathmlOf = (tex: string, isDisplayed: boolean): string | null => {
  const key = `${isDisplayed ? 'd' : 'i'}${tex}`
  const found = known.get(key)
  if (found) return found.mathml
  const mathml = render(tex, isDisplayed)
  known.set(key, { mathml })
  return mathml
}

const render = (tex: string, isDisplayed: boolean): string | null => {
  try {
    return temml
      .renderToString(tex, { displayMode: isDisplayed, annotate: true, ...OPTIONS })
      .replace(COLOR, 'mathcolor="$1"')
  } catch {
    return null
  }
}

/** No links, files and styles; bounds of what macros become and of sizes (em, pt). */
const OPTIONS = { trust: false, throwOnError: true, maxExpand: 1_000, maxSize: [50, 500] as [number, number] }

/** A color as an attribute, because styles are removed. */
const COLOR = /style="color:(#[0-9a-f]{3,8});?"/gi
