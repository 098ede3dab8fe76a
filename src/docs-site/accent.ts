/** Red, green and blue, each from 0 to 255. */
type Color = readonly [number, number, number]

/** `--paper` and `--raised` of `site.css`: text in the accent color stands on both. */
const LIGHT: readonly Color[] = [parseHex('#fcfbf8'), parseHex('#f3f1ea')]
const DARK: readonly Color[] = [parseHex('#161a18'), parseHex('#1f2522')]

const BLACK: Color = [0, 0, 0]
const WHITE: Color = [255, 255, 255]

/** The contrast of text that WCAG 2.2 requires (1.4.3, level AA). */
const CONTRAST_MIN = 4.5

/**
 * The style sheet for an accent color: the color itself if it can be read on the backgrounds of the site, or else the
 * nearest darker one in light mode, and the nearest lighter one in dark mode. (D122)
 * @param accent such as `#1b6149`
 */
export const accentStyles = (accent: string): string => {
  const rules = (backgrounds: readonly Color[], towards: Color): string => {
    const color = readable(parseHex(accent), backgrounds, towards)
    const ink = contrast(color, WHITE) >= contrast(color, BLACK) ? WHITE : BLACK
    return `:root { --accent: ${toHex(color)}; --accent-ink: ${toHex(ink)}; }`
  }
  return `${rules(LIGHT, BLACK)}\n@media (prefers-color-scheme: dark) { ${rules(DARK, WHITE)} }\n`
}

const readable = (color: Color, backgrounds: readonly Color[], towards: Color): Color => {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = color.map((value, i) =>
      Math.round(value + (towards[i]! - value) * share),
    ) as unknown as Color
    if (backgrounds.every((background) => contrast(mixed, background) >= CONTRAST_MIN)) return mixed
  }
  return towards
}

/** The contrast ratio of two colors: 1 to 21. @see WCAG 2.2, "contrast ratio" */
export const contrast = (a: Color, b: Color): number => {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

const luminance = (color: Color): number => {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** @param hex `#` and six hexadecimal digits */
export function parseHex(hex: string): Color {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Color
}

const toHex = (color: Color): string =>
  `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`
