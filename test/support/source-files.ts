import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'
import { packagePath } from '../../src/paths.ts'

/** An import or a re-export, of whatever form. */
export interface Import {
  /** Path from the top of a file of this repository, or the name of a package. */
  target: string
  isOwn: boolean
  /** The name by which it is imported, if it is a package's. */
  packageName?: string
  isType: boolean
  /** `import('…')`: it loads when that runs. */
  isDynamic?: boolean
  /** Names imported; `*` for all of them. */
  names: string[]
}

/** A parsed TypeScript file. `path` is relative to the package's root. */
export interface CodeFile {
  path: string
  tree: ts.SourceFile
  imports: Import[]
}

/** An exported declaration. */
export interface Export {
  name: string
  node: ts.Node
}

export const visitAll = (node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node)
  ts.forEachChild(node, (child) => visitAll(child, visit))
}

const namesOf = (node: ts.ImportDeclaration | ts.ExportDeclaration): string[] => {
  const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause
  if (bindings && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings)))
    return bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
  return ['*']
}

const isTypeOnly = (node: ts.ImportDeclaration | ts.ExportDeclaration): boolean => {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly
  const clause = node.importClause
  const names = clause?.namedBindings
  if (clause === undefined) return false
  if (clause.isTypeOnly) return true
  return (
    clause.name === undefined &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.every((element) => element.isTypeOnly)
  )
}

const importsOf = (path: string, tree: ts.SourceFile): Import[] => {
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, isType: boolean, names: string[], isDynamic = false) => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return
    const { text } = specifier
    const [, workspace, file] = /^@lectern\/([^/]+)\/(.+)$/.exec(text) ?? []
    const isRelative = text.startsWith('.')
    const target = workspace
      ? `packages/${workspace}/src/${file}.ts`
      : isRelative
        ? normalize(join(dirname(path), text))
        : text
    found.push({
      ...{ target, isOwn: isRelative || workspace !== undefined, isType, names, isDynamic },
      ...(!isRelative && { packageName: text.split('/', text.startsWith('@') ? 2 : 1).join('/') }),
    })
  }
  visitAll(tree, (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
      add(node.moduleSpecifier, isTypeOnly(node), namesOf(node))
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false, ['*'], true)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true, ['*'])
  })
  return found
}

/** @param path as it would be from the package's root */
export const parseSource = (path: string, text: string): CodeFile => {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  return { path, tree, imports: importsOf(path, tree) }
}

/** Every TypeScript file of a folder of this package, but for projects with packages of their own. */
export const sourceFiles = (folder: string): CodeFile[] =>
  readdirSync(packagePath(folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (path) =>
        path.endsWith('.ts') && !path.endsWith('.d.ts') && !/(^|\/)(node_modules|projects|dist)\//.test(path),
    )
    .map((path) => join(folder, path))
    .map((path) => parseSource(path, readFileSync(packagePath(path), 'utf8')))

/** The folders of the packages of this repository, such as `packages/wiki`. */
export const PACKAGES = readdirSync(packagePath('packages')).map((name) => `packages/${name}`)

/** Every TypeScript file of the gateway and of the packages, without tests. */
export const productFiles = (): CodeFile[] =>
  ['src', ...PACKAGES.map((folder) => `${folder}/src`)].flatMap(sourceFiles)

/** What a file declares and exports. */
export const exportsOf = ({ tree }: CodeFile): Export[] =>
  tree.statements.flatMap((statement): Export[] => {
    if (!ts.canHaveModifiers(statement)) return []
    if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations
        .filter(({ name }) => ts.isIdentifier(name))
        .map((node) => ({ name: node.name.getText(), node }))
    const { name } = statement as ts.DeclarationStatement
    return name ? [{ name: name.text, node: statement }] : []
  })

/** Where nodes stand for which `is` holds: `path:line`. */
export const linesWhere = (files: readonly CodeFile[], is: (node: ts.Node) => boolean): string[] =>
  files.flatMap(({ path, tree }) => {
    const lines: string[] = []
    visitAll(tree, (node) => {
      if (is(node)) lines.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`)
    })
    return lines
  })
