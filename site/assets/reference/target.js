/* The target of a request (path and query under the base URL) and the fields of its form, one from the other. */

/** Commas and colons may stay as they are, and are easier to read. */
const encode = (text) => encodeURIComponent(text).replace(/%(2C|3A)/g, decodeURIComponent)

/**
 * @param {string} template path template, such as `/pages/{path}`
 * @param {[string, string][]} values names and values, in the order of the query. Empty values are left out; in the path,
 * the placeholder stays
 */
export const targetOf = (template, values) => {
  const given = new Map(values)
  const path = template.replace(
    /\{(\w+)\}/g,
    (placeholder, name) => encode(given.get(name) ?? '') || placeholder,
  )
  const query = values
    .filter(([name, value]) => value !== '' && !template.includes(`{${name}}`))
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

const decode = (text) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What somebody typed or pasted, as a target: a whole URL, or a path with or without the path of the API. */
export const normalized = (text) => {
  const bare = text
    .trim()
    .replace(/[\r\n]+/g, '')
    .replace(/^(GET\s+)?(https?:\/\/[^/?#]*)?/i, '')
    .replace(/#.*$/s, '')
  const target = bare.replace(/^.*?\/api\/v1(?=[/?]|$)/, '')
  return /^[/?]/.test(target) || target === '' ? target.replace(/^(?!\/)/, '/') : `/${target}`
}

/**
 * @param {string} target as `normalized` returns it
 * @param {RegExp} pattern of the path, with a group for each of its parameters
 * @param {string[]} names of the parameters of the path
 * @returns {[string, string][] | null} all names and values, unknown ones too; null for the path of another endpoint
 */
export const valuesOf = (target, pattern, names) => {
  const [path, query = ''] = target.split(/\?(.*)/s)
  const match = pattern.exec(path)
  if (!match) return null
  const inPath = names.map((name, i) => [name, match[i + 1] === `{${name}}` ? '' : decode(match[i + 1])])
  return [...inPath, ...new URLSearchParams(query)]
}
