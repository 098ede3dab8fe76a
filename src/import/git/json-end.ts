/**
 * Where the JSON object that a text begins with ends: the offset after its brace; null where it does not end
 * within so many characters. What is in it need not be JSON.
 */
export const jsonEnd = (text: string, characters: number): number | null => {
  let depth = 0
  let inString = false
  for (let at = 0; at < Math.min(text.length, characters); at += 1) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{') depth += 1
    else if (character === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return null
}
