/**
 * JSON on several lines. Lists of numbers stay on one line. The server runs this module as well.
 * @param {unknown} value
 */
export const formatJson = (value) =>
  JSON.stringify(value, null, 2).replace(
    /\[\n\s+(-?\d[^[\]{}"]*)\n\s+\]/g,
    (_, numbers) => `[${numbers.replace(/\s+/g, ' ')}]`,
  )
