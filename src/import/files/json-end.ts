/**
 * The offset after the JSON object at the start of a text. The content of the object need not be valid JSON.
 * @returns null if it does not end within `maxLength` characters
 */
export const jsonEnd = (text: string, maxLength: number): number | null => {
  let depth = 0
  let isInString = false
  for (let at = 0; at < Math.min(text.length, maxLength); at += 1) {
    const character = text[at]
    if (isInString) {
      if (character === '\\') at += 1
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '{') depth += 1
    else if (character === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return null
}
