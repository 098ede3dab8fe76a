import { installedPath } from '../paths.ts'

/** A file of highlight.js for browsers. Each of its modules is complete, without imports. */
const file = (...path: string[]): string => installedPath('@highlightjs/cdn-assets', ...path)

/** The languages in which the demo reader colors code, by their names in the package. (D54) */
const LANGUAGES =
  `bash c cpp csharp css dart diff dockerfile elixir go graphql haskell http ini java javascript json julia kotlin
  latex less lua makefile markdown nginx objectivec perl php powershell properties protobuf python r ruby rust scala
  scss shell sql swift typescript vbnet xml yaml`.split(/\s+/)

/** The files of the package, by the names under which pages load them. */
export const CODE_COLOR_FILES: Readonly<Record<string, string>> = {
  'highlightjs/core.js': file('es', 'core.min.js'),
  'highlightjs/LICENSE.txt': file('LICENSE'),
  ...Object.fromEntries(
    LANGUAGES.map((name) => [`highlightjs/${name}.js`, file('es', 'languages', `${name}.min.js`)]),
  ),
}
