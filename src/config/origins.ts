/** What the command line and its files say about settings, for messages. A worker process has none. */
interface SettingOrigins {
  /** Where a setting comes from, by its name: a file or an option. Absent: the environment. */
  names: ReadonlyMap<string, string>
  /** What is wrong with the names of a file, one sentence per name. */
  problems: readonly string[]
  /** The options as they were given, such as `--env-file a.env`, quoted for a shell. */
  options: { files: string; port: string }
}

let current: SettingOrigins = { names: new Map(), problems: [], options: { files: '', port: '' } }

export const setOrigins = (origins: SettingOrigins): void => {
  current = origins
}

export const settingOrigins = (): SettingOrigins => current

/** The name of a setting as messages begin with it: `PORT`, or `PORT (in a.env)` if it comes from a file. */
export const nameWithOrigin = (name: string): string => {
  const origin = current.names.get(name)
  if (origin === undefined) return name
  return `${name} (${origin.startsWith('--') ? origin : `in ${origin}`})`
}
