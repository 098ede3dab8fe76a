import { installedPath } from '../../paths.ts'

/** A file of highlight.js for browsers. Each of its modules is complete, without imports. */
const file = (...path: string[]): string => installedPath('@highlightjs/cdn-assets', ...path)

/** The module of the highlighter itself, without languages. */
export const highlighterFile = (): string => file('es', 'core.min.js')

/** The module of a language. @param name its name in the package */
export const languageFile = (name: string): string => file('es', 'languages', `${name}.min.js`)

/** The languages in which the demo reader colors code, by their names in the package. (D54) */
const LANGUAGES =
  `bash c cpp csharp css dart diff dockerfile elixir go graphql haskell http ini java javascript json julia kotlin
  latex less lua makefile markdown nginx objectivec perl php powershell properties protobuf python r ruby rust scala
  scss shell sql swift typescript vbnet xml yaml`.split(/\s+/)

/** The files of the package that browsers load, by the names under which pages load them. */
export const browserFiles = (): Record<string, string> => ({
  'highlightjs/core.js': highlighterFile(),
  'highlightjs/LICENSE.txt': file('LICENSE'),
  ...Object.fromEntries(LANGUAGES.map((name) => [`highlightjs/${name}.js`, languageFile(name)])),
})
