import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript'
import { allStatements } from '../src/db/statements.ts'
import { packagePath } from '../src/paths.ts'
import { routes } from '../src/rest/routes/index.ts'

const SOURCE = packagePath('src')

interface Import {
  /** Path from `src` of a file of ours, or the name of a package. */
  target: string
  isOurs: boolean
  isType: boolean
}

interface SourceFile {
  path: string
  tree: ts.SourceFile
  imports: Import[]
}

const isTypeOnly = (node: ts.ImportDeclaration | ts.ExportDeclaration): boolean => {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly
  const clause = node.importClause
  if (clause === undefined) return false
  const names = clause.namedBindings
  return (
    clause.isTypeOnly ||
    (clause.name === undefined &&
      names !== undefined &&
      ts.isNamedImports(names) &&
      names.elements.every((one) => one.isTypeOnly))
  )
}

const walk = (node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

const importsOf = (path: string, tree: ts.SourceFile): Import[] => {
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, isType: boolean) => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return
    const isOurs = specifier.text.startsWith('.')
    const target = isOurs ? relative(SOURCE, join(SOURCE, dirname(path), specifier.text)) : specifier.text
    found.push({ target, isOurs, isType })
  }
  walk(tree, (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
      add(node.moduleSpecifier, isTypeOnly(node))
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true)
  })
  return found
}

const parse = (path: string, text: string): SourceFile => {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  return { path, tree, imports: importsOf(path, tree) }
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => parse(path, readFileSync(join(SOURCE, path), 'utf8')))

/** The part of the house that a file is in: its folder, or its own name at the top. */
const partOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.indexOf('/')) : path.replace(/\.ts$/, '')

const EVERYONES = ['errors', 'kept', 'limits', 'paths', 'resources', 'wiki', 'within']

/** What each part may import to run, besides itself and what is everyone's. */
const BELOW: Record<string, string[]> = {
  cli: ['commands'],
  commands: ['config', 'serving', 'attaching', 'indexing', 'import', 'export', 'check', 'data', 'progress'],
  attaching: ['config', 'indexing', 'data', 'progress'],
  check: ['config', 'data', 'rate'],
  serving: ['config', 'server', 'workers', 'log', 'rate', 'indexing', 'import', 'data'],
  indexing: ['data', 'progress'],
  config: ['rest', 'database-url'],
  server: ['config', 'graphql', 'http', 'internal', 'rest', 'rate', 'data', 'render'],
  workers: ['rate'],
  graphql: ['resolvers', 'data', 'render'],
  http: [],
  render: [],
  internal: [],
  log: [],
  rest: ['generated', 'http', 'rate'],
  resolvers: ['data', 'generated'],
  import: ['data'],
  export: ['data'],
  data: ['database-url'],
  'database-url': [],
  wiki: [],
  generated: [],
  rate: [],
  progress: [],
  errors: [],
  kept: [],
  limits: [],
  paths: [],
  resources: [],
  within: [],
}

/** What a part may name as a type alone. */
const TYPES: Record<string, string[]> = {
  rest: ['graphql'],
  internal: ['resolvers', 'data'],
  data: ['import'],
  server: ['resolvers'],
  generated: ['resolvers', 'data'],
}

const forbidden = (found: SourceFile[]): string[] =>
  found.flatMap(({ path, imports }) => {
    const part = partOf(path)
    const allowed = [part, ...EVERYONES, ...(BELOW[part] ?? [])]
    return imports
      .filter(({ isOurs }) => isOurs)
      .filter(({ target, isType }) => {
        const to = partOf(target)
        return !(allowed.includes(to) || (isType && TYPES[part]?.includes(to)))
      })
      .map(({ target, isType }) => `${path} imports ${isType ? 'types of ' : ''}${target}`)
  })

/** Files that import package `name` to run it, or, with `types`, at all. */
const importersOf = (name: string, options: { types: boolean }): string[] =>
  files
    .filter(({ imports }) =>
      imports.some(
        ({ target, isType }) =>
          (target === name || target.startsWith(`${name}/`)) && (options.types || !isType),
      ),
    )
    .map(({ path }) => path)

/** Packages whose files are handed to browsers: `installedPath('name', …)`. */
const installed = (tree: ts.SourceFile): string[] => {
  const names: string[] = []
  walk(tree, (node) => {
    if (!ts.isCallExpression(node) || node.expression.getText() !== 'installedPath') return
    const [name] = node.arguments
    if (name && ts.isStringLiteralLike(name)) names.push(name.text)
  })
  return names
}

/** Places where something that `is` stands: `path:line`. */
const placesOf = (is: (node: ts.Node) => boolean, found = files): string[] =>
  found.flatMap(({ path, tree }) => {
    const places: string[] = []
    walk(tree, (node) => {
      if (is(node)) places.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`)
    })
    return places
  })

const isEnvironment = (node: ts.Node): boolean => {
  if (ts.isPropertyAccessExpression(node))
    return node.expression.getText() === 'process' && node.name.text === 'env'
  if (ts.isElementAccessExpression(node)) return node.expression.getText() === 'process'
  if (ts.isVariableDeclaration(node))
    return ts.isObjectBindingPattern(node.name) && node.initializer?.getText() === 'process'
  return (
    ts.isImportDeclaration(node) && /^(node:)?process$/.test((node.moduleSpecifier as ts.StringLiteral).text)
  )
}

/** `Date.now`, `Date()`, and `new Date` of no other moment. */
const isTimeOfDay = (node: ts.Node): boolean => {
  if (ts.isPropertyAccessExpression(node)) return node.getText() === 'Date.now'
  const isCall = ts.isCallExpression(node) || ts.isNewExpression(node)
  return isCall && node.expression.getText() === 'Date' && !node.arguments?.length
}

const SQL =
  /^\s*(select\s|insert into\s|update \w+\.|delete from\s|truncate\s|with \w+ as |create (table|role|schema|view)|alter (table|role)|begin( transaction|$)|commit$|rollback|set local|lock table)/i

const isSql = (node: ts.Node): boolean =>
  (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) && SQL.test(node.text)

describe('the house', () => {
  it('is walked whole', () => {
    expect(files.length).to.be.above(60)
    expect(files.flatMap(({ imports }) => imports).length).to.be.above(200)
    expect(files.map(({ path }) => partOf(path)).filter((part) => !(part in BELOW))).to.deep.equal([])
  })

  it('has imports that point down', () => {
    expect(forbidden(files)).to.deep.equal([])
  })

  it('has no circle of imports', () => {
    const below = new Map(
      files.map(({ path, imports }) => [
        path,
        imports.filter(({ isOurs, isType }) => isOurs && !isType).map(({ target }) => target),
      ]),
    )
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (path: string, above: string[]) => {
      if (above.includes(path)) circles.push([...above.slice(above.indexOf(path)), path].join(' → '))
      if (done.has(path) || above.includes(path)) return
      for (const next of below.get(path) ?? []) visit(next, [...above, path])
      done.add(path)
    }
    for (const { path } of files) visit(path, [])
    expect(circles).to.deep.equal([])
  })

  it('would be seen to be broken: each way to import is found', () => {
    const rest = (text: string) => forbidden([parse('rest/routes/x.ts', text)])
    for (const text of [
      "import { statement } from '../../data/statements.ts'",
      "import '../../data/statements.ts'",
      "export { statement } from '../../data/statements.ts'",
      "const x = await import('../../data/statements.ts')",
      "import type { Database } from '../../data/database.ts'",
      "import { type Database } from '../../data/database.ts'",
      "let x: import('../../data/database.ts').Database",
      "import { makeSchema } from '../../graphql.ts'",
    ]) {
      expect(rest(text), text).to.have.length(1)
    }
    expect(rest("import type { PrepareStoredQuery } from '../../graphql.ts'")).to.deep.equal([])
    expect(forbidden([parse('resolvers/x.ts', "import { part } from '../rest/paging.ts'")])).to.have.length(1)
    expect(
      placesOf(isEnvironment, [parse('x.ts', "const { env } = process\nprocess.env.X\nprocess['env']")]),
    ).to.have.length(3)
    expect(placesOf(isSql, [parse('x.ts', `query(\`select \${x} from y\`)`)])).to.have.length(1)
  })

  it('keeps PostgreSQL in data/', () => {
    for (const name of ['pg', '@electric-sql/pglite']) {
      expect(importersOf(name, { types: true }).filter((path) => !path.startsWith('data/'))).to.deep.equal([])
    }
    expect(placesOf(isSql).filter((place) => !place.startsWith('data/'))).to.deep.equal([])
  })

  it('keeps express in rest/, and GraphQL out of it', () => {
    expect(importersOf('express', { types: true }).filter((path) => !path.startsWith('rest/'))).to.deep.equal(
      [],
    )
    for (const name of ['graphql', 'graphql-jit', 'graphql-yoga', 'dataloader', '@graphql-tools']) {
      expect(
        importersOf(name, { types: false }).filter((path) => /^(rest|wiki|import|export)\//.test(path)),
        name,
      ).to.deep.equal([])
    }
  })

  it('reads the environment in config.ts; git alone is handed it on', () => {
    const readers = placesOf(isEnvironment).map((place) => place.split(':')[0])
    expect(new Set(readers)).to.deep.equal(new Set(['config.ts', 'import/git/process.ts']))
  })

  it('measures durations by the clock that never jumps: two files alone ask the time of day', () => {
    const asking = placesOf(isTimeOfDay).map((place) => place.split(':')[0])
    // The age of a file, and a Date header. (D82)
    expect(new Set(asking)).to.deep.equal(new Set(['data/embedded/claim.ts', 'rest/parser-errors.ts']))
  })

  it('has no file over 350 lines', () => {
    const long = files
      .filter(({ path }) => !path.startsWith('generated/'))
      .map(({ path, tree }) => ({ path, lines: tree.getLineStarts().length }))
    expect(long.filter(({ lines }) => lines > 350)).to.deep.equal([])
  })

  it('has a pair for each endpoint, stored query and route, and lists every route', () => {
    const names = (ending: string) =>
      readdirSync(join(SOURCE, 'rest', 'routes'))
        .filter((file) => file.endsWith(ending) && file !== 'index.ts')
        .map((file) => file.slice(0, -ending.length))
        .sort()
    expect(names('.ts')).to.deep.equal(names('.graphql'))
    expect(routes.map(({ name }) => name).sort()).to.deep.equal(names('.ts'))
    for (const { name, query } of routes) {
      const operation = query.definitions[0] as { name?: { value: string } } | undefined
      expect(operation?.name?.value.toLowerCase(), name).to.equal(name)
    }
  })

  it('uses every statement of schema/sql, and no other', () => {
    const asked = new Set<string>()
    for (const { tree } of files) {
      walk(tree, (node) => {
        if (!ts.isCallExpression(node) || !/^(statement|run|rows)$/.test(node.expression.getText())) return
        const [first] = node.arguments
        if (first && ts.isStringLiteralLike(first)) asked.add(first.text)
      })
    }
    const stored = allStatements().map(({ name }) => name)
    expect([...asked].sort()).to.deep.equal(stored.sort())
  })

  it('has packages that are used, and declares those that it uses', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8'))
    const packageOf = (target: string) =>
      target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/')
    const used = (isType: boolean) =>
      new Set(
        files
          .flatMap(({ imports }) => imports)
          .filter((one) => !one.isOurs && one.isType === isType && !one.target.startsWith('node:'))
          .map(({ target }) => packageOf(target)),
      )
    expect([...used(false)].filter((name) => !(name in dependencies))).to.deep.equal([])
    expect(
      [...used(true)].filter((name) => !(name in dependencies || name in devDependencies)),
    ).to.deep.equal([])
    const browsers = new Set(files.flatMap(({ tree }) => installed(tree)))
    expect(
      Object.keys(dependencies).filter((name) => !(used(false).has(name) || browsers.has(name))),
    ).to.deep.equal([])
  })
})
