import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import ts from 'typescript'
import { allStatements } from '../src/db/statements.ts'
import { packagePath } from '../src/paths.ts'
import { routes } from '../src/rest/routes/index.ts'
import {
  type CodeFile,
  exportsOf,
  linesWhere,
  PACKAGES,
  parseSource,
  productFiles,
  sourceFiles,
  visitAll,
} from './support/source-files.ts'

const files = productFiles()
const everyFile = [
  ...files,
  ...['test', 'bench', 'tools', ...PACKAGES.map((folder) => `${folder}/test`)].flatMap(sourceFiles),
]
const written = files.filter(({ path }) => !path.startsWith('src/generated/'))

/** The room that a file is in: its package, its folder under `src`, or its own name at the top of it. */
const roomOf = (path: string): string => {
  const [top, name] = path.split('/') as [string, string]
  return top === 'packages' ? `${top}/${name}` : name.replace(/\.ts$/, '')
}

interface Manifest {
  name: string
  version: string
  dependencies: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** The package.json of a package of this repository, or of its top. */
const manifestOf = (folder = ''): Manifest =>
  JSON.parse(readFileSync(packagePath(folder, 'package.json'), 'utf8'))

/** Rooms that every room may use. They use nothing but each other. */
const SHARED = ['limits', 'paths', 'shared', 'packages/wiki']

const SOURCES = 'packages/import-files packages/import-mediawiki packages/import-dokuwiki'

/** Rooms by name, from texts that name them. */
const rooms = (table: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(table).map(([room, names]) => [room, names.split(/\s+/)]))

/** What each room may import to run, besides itself and what is shared. */
const BELOW = rooms({
  cli: 'commands',
  commands: `config serving wikijs upgrade stored-html write import ${SOURCES} export follow log check db progress agents`,
  check: 'packages/files-s3 config docs-site internal graphql wikijs search db rate http',
  serving: `http internal config check server workers log rate upgrade write import packages/import-files follow
    wikijs search db`,
  server: 'graphql query-context docs-site packages/mcp http internal rest render diff rate db',
  agents: 'config server packages/mcp rate upgrade db log',
  upgrade: 'stored-html search db progress',
  'stored-html': 'query-context render db',
  config: 'database-url',
  workers: 'rate',
  graphql: 'resolvers',
  'query-context': 'read db render diff',
  resolvers: 'read',
  'docs-site': 'rest',
  rest: 'generated http rate',
  follow: 'write workers db',
  export: 'read db',
  import: `${SOURCES} progress`,
  wikijs: 'write search db',
  read: 'search db',
  write: 'search db',
  search: 'db',
  db: 'packages/embedded packages/files-s3 database-url',
})

/** What a room may name as a type alone. */
const TYPES = rooms({
  commands: 'db export write',
  export: 'write',
  follow: 'log',
  workers: 'log',
  api: 'config db rate',
  generated: 'resolvers read search',
  read: 'write generated',
  search: 'generated',
  'stored-html': 'generated',
  write: 'generated packages/files-s3',
  db: 'generated',
  'query-context': 'resolvers',
  resolvers: 'generated',
  rest: 'graphql',
  internal: 'rest http render db',
  server: 'config db render resolvers',
})

/** The packages of this repository that a package names in its package.json. */
const workspacesOf = (room: string): string[] =>
  Object.keys(manifestOf(room).dependencies)
    .filter((name) => name.startsWith('@lectern/'))
    .map((name) => name.replace('@lectern/', 'packages/'))

const forbidden = (found: readonly CodeFile[]): string[] =>
  found.flatMap(({ path, imports }) => {
    const room = roomOf(path)
    const allowed = room.startsWith('packages/')
      ? [room, ...workspacesOf(room)]
      : [room, ...SHARED, ...(SHARED.includes(room) ? [] : (BELOW[room] ?? []))]
    return imports
      .filter(({ isOwn }) => isOwn)
      .filter(({ target, isType }) => {
        const to = roomOf(target)
        return !(allowed.includes(to) || (isType && TYPES[room]?.includes(to)))
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

/** Circles of imports, types included: each as the files on its way. */
const circlesOf = (found: readonly CodeFile[]): string[] => {
  const below = new Map(
    found.map(({ path, imports }) => [
      path,
      imports.filter(({ isOwn }) => isOwn).map(({ target }) => target),
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
  for (const { path } of found) visit(path, [])
  return circles
}

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

/** `Date.now`, `Date()`, and `new Date` without an argument. */
const isTimeOfDay = (node: ts.Node): boolean => {
  if (ts.isPropertyAccessExpression(node)) return node.getText() === 'Date.now'
  const isCall = ts.isCallExpression(node) || ts.isNewExpression(node)
  return isCall && node.expression.getText() === 'Date' && !node.arguments?.length
}

const SQL =
  /^\s*(select\s|insert into\s|update \w+\.|delete from\s|truncate\s|with \w+ as |create (table|role|schema|view)|alter (table|role)|begin( transaction|$)|commit$|rollback|set local|lock table)/i

const isSql = (node: ts.Node): boolean =>
  (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) && SQL.test(node.text)

const SQL_ROOMS = ['db', 'packages/embedded', 'read', 'search', 'write', 'wikijs']

/** Longest function without a comment that begins with `Long:` and gives the reason, lines. */
const FUNCTION_LINES = 60

const commentBefore = (node: ts.Node, tree: ts.SourceFile): string => {
  let owner = node
  while (owner.parent && !ts.isSourceFile(owner.parent) && !ts.isBlock(owner.parent)) owner = owner.parent
  return tree.text.slice(owner.getFullStart(), owner.getStart())
}

const longFunctions = (found: readonly CodeFile[]): string[] =>
  found.flatMap(({ path, tree }) => {
    const long: string[] = []
    visitAll(tree, (node) => {
      if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return
      const [first, last] = [node.getStart(), node.end].map(
        (at) => tree.getLineAndCharacterOfPosition(at).line,
      ) as [number, number]
      const lines = last - first + 1
      if (lines > FUNCTION_LINES && !/\bLong: /.test(commentBefore(node, tree)))
        long.push(`${path}:${first + 1}, ${lines} lines`)
    })
    return long
  })

describe('architecture', () => {
  it('is checked for every file of src, and knows every room', () => {
    expect(files.length).to.be.above(200)
    expect(files.flatMap(({ imports }) => imports).length).to.be.above(600)
    const known = new Set([...SHARED, ...Object.keys(BELOW), ...Object.values(BELOW).flat()])
    for (const name of PACKAGES) known.add(name)
    expect(files.map(({ path }) => roomOf(path)).filter((room) => !known.has(room))).to.deep.equal([])
  })

  it('has imports that point down', () => {
    expect(forbidden(files)).to.deep.equal([])
  })

  it('has no circle of imports, types included', () => {
    expect(circlesOf(files)).to.deep.equal([])
  })

  it('has no circle of rooms or packages', () => {
    const below = [...Object.entries(BELOW), ...PACKAGES.map((name) => [name, workspacesOf(name)] as const)]
    const asFiles = below.map(([room, others]) =>
      parseSource(
        room,
        others.map((to) => `import '${'../'.repeat(room.split('/').length - 1)}./${to}'`).join('\n'),
      ),
    )
    expect(circlesOf(asFiles)).to.deep.equal([])
  })

  it('runs SQL in db, read, search, write, wikijs and the embedded database alone', () => {
    const isElsewhere = (path: string) => !SQL_ROOMS.includes(roomOf(path.split(':')[0]!))
    for (const name of ['pg', '@electric-sql/pglite'])
      expect(importersOf(name, { types: true }).filter(isElsewhere), name).to.deep.equal([])
    expect(linesWhere(files, isSql).filter(isElsewhere)).to.deep.equal([])
  })

  it('takes no advisory lock that is not listed in src/db/write-lock.ts', () => {
    const sources = productFiles().map(({ path, tree }) => ({ path, text: tree.text }))
    const scripts = ['migrations', 'sql', 'views', 'wikijs'].flatMap((folder) =>
      readdirSync(packagePath('schema', folder)).map((file) => ({
        path: `schema/${folder}/${file}`,
        text: readFileSync(packagePath('schema', folder, file), 'utf8'),
      })),
    )
    const takers = [...sources, ...scripts].flatMap(({ path, text }) =>
      [...text.matchAll(/pg_advisory\w*\(([^)]+)\)/g)].map(([, number]) => ({ path, number })),
    )
    expect(takers).to.deep.equal([{ path: 'src/db/migrate.ts', number: '$1' }])
  })

  it('keeps express in rest, and GraphQL out of it', () => {
    expect(importersOf('express', { types: true }).filter((path) => roomOf(path) !== 'rest')).to.deep.equal(
      [],
    )
    for (const name of ['graphql', 'graphql-jit', 'graphql-yoga', 'dataloader', '@graphql-tools']) {
      expect(
        importersOf(name, { types: false }).filter((path) =>
          /^(rest|import|export|packages\/.*)$/.test(roomOf(path)),
        ),
        name,
      ).to.deep.equal([])
    }
  })

  /** Files and packages that are loaded together with a file. */
  const loadedBy = (root: string): string[] => {
    const loaded = new Set([root])
    const start = (path: string) => {
      const { imports } = files.find((file) => file.path === path)!
      for (const { target, isOwn, isType, isDynamic } of imports) {
        if (isType || isDynamic || loaded.has(target)) continue
        loaded.add(target)
        if (isOwn) start(target)
      }
    }
    start(root)
    return [...loaded]
  }

  it('loads the SDK of MCP and the tools with the first request for them, not when the service starts', () => {
    const loaded = loadedBy('src/serving/serving.ts')
    expect(loaded.filter((one) => /^@modelcontextprotocol|^packages\/mcp\//.test(one))).to.deep.equal([])
    expect(loaded).to.include('src/server/api.ts')
    expect(loadedBy('src/agents/process.ts')).to.include('@modelcontextprotocol/server')
  })

  it('starts the service without the client of Redis, which needs REDIS_URL, and the sanitizer, which runs in other processes', () => {
    const needless = ['ioredis', 'rate-limiter-flexible', 'marked', 'sanitize-html']
    expect(loadedBy('src/serving/serving.ts').filter((one) => needless.includes(one))).to.deep.equal([])
    expect(loadedBy('src/render/thread.ts')).to.include.members(['marked', 'sanitize-html'])
  })

  it('stores the HTML of an import without GraphQL, which takes longer to load than a small import', () => {
    const loaded = loadedBy('src/stored-html.ts')
    expect(loaded.filter((one) => /graphql|^ajv/.test(one))).to.deep.equal([])
    expect(loaded).to.include('src/read/loaders.ts')
  })

  it('reads the environment in config.ts and config/; git alone is handed it on', () => {
    const readers = linesWhere(files, isEnvironment).map((line) => line.split(':')[0])
    const others = readers.filter((path) => roomOf(path!) !== 'config')
    expect(new Set(others)).to.deep.equal(new Set(['packages/import-files/src/git/process.ts']))
  })

  it('measures durations by the clock that never jumps: six files ask for the time of day', () => {
    const asking = linesWhere(files, isTimeOfDay).map((line) => line.split(':')[0])
    // The age of a file, a Date header, the latest time of an edit (D70), dates of pages, and an error as a line of the log.
    const expected = [
      'packages/embedded/src/process-lock.ts',
      'packages/import-files/src/files/page-files.ts',
      'packages/import-files/src/folder/source.ts',
      'src/commands/import-summary.ts',
      'src/commands/program.ts',
      'src/rest/transport/parser-errors.ts',
    ]
    expect(new Set(asking)).to.deep.equal(new Set(expected))
  })

  it(`has no function over ${FUNCTION_LINES} lines without a reason`, () => {
    expect(longFunctions(written)).to.deep.equal([])
  })

  it('has a pair for each endpoint, stored query and route, and lists every route', () => {
    const names = (ending: string) =>
      readdirSync(packagePath('src', 'rest', 'routes'))
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
      visitAll(tree, (node) => {
        if (
          !ts.isCallExpression(node) ||
          !/^(statement|(this\.#)?run|(loaders\.)?rows|load)$/.test(node.expression.getText())
        )
          return
        const [first] = node.arguments
        if (first && ts.isStringLiteralLike(first)) asked.add(first.text)
      })
    }
    const stored = allStatements().map(({ name }) => name)
    expect([...asked].sort()).to.deep.equal(stored.sort())
  })

  for (const folder of ['src', ...PACKAGES.map((name) => `${name}/src`)]) {
    it(`${folder} uses the packages that its package.json declares, and declares those that it uses`, () => {
      const {
        peerDependencies,
        devDependencies = {},
        ...manifest
      } = manifestOf(folder.replace(/\/?src$/, ''))
      const ownName = manifest.name
      const dependencies =
        folder === 'src' ? manifest.dependencies : { ...manifest.dependencies, ...peerDependencies }
      const own = files.filter(({ path }) => path.startsWith(`${folder}/`))
      const used = (isType: boolean) =>
        new Set(
          own
            .flatMap(({ imports }) => imports)
            .filter((one) => one.isType === isType && one.packageName !== undefined)
            .map(({ packageName }) => packageName!)
            .filter((name) => !name.startsWith('node:') && name !== ownName),
        )
      expect([...used(false)].filter((name) => !(name in dependencies))).to.deep.equal([])
      expect(
        [...used(true)].filter((name) => !(name in dependencies || name in devDependencies)),
      ).to.deep.equal([])
      expect(Object.keys(dependencies).filter((name) => !used(false).has(name))).to.deep.equal([])
    })
  }

  it('bundles its packages, all of the same version', () => {
    const top = JSON.parse(readFileSync(packagePath('package.json'), 'utf8'))
    const manifests = PACKAGES.map(manifestOf)
    expect([...top.bundleDependencies].sort()).to.deep.equal(manifests.map(({ name }) => name).sort())
    expect(manifests.map(({ version }) => version)).to.deep.equal(manifests.map(() => top.version))
  })
})

/** Past participles that say nothing of a thing by themselves. */
const PARTICIPLES =
  /^(told|kept|sent|called|heard|drawn|meant|routed|made|given|known|asked|shown|found|held|left|lost|said|seen|taken|wanted|waited|cut|done|begun|ended)$/i

describe('names', () => {
  const exported = everyFile
    .filter(({ path }) => !path.startsWith('src/generated/'))
    .flatMap((file) =>
      [...new Set(exportsOf(file).map(({ name }) => name))].map((name) => ({ name, path: file.path })),
    )

  it('no two files export the same name', () => {
    const byName = new Map<string, string[]>()
    for (const { name, path } of exported) byName.set(name, [...(byName.get(name) ?? []), path])
    // mocha finds its hooks by these names.
    for (const name of ['mochaHooks', 'mochaGlobalSetup', 'mochaGlobalTeardown']) byName.delete(name)
    expect([...byName].filter(([, paths]) => paths.length > 1)).to.deep.equal([])
  })

  it('nothing is exported that nobody imports', () => {
    const imported = new Set<string>()
    const readers = packagePath('test', 'clients', 'projects', 'wiki-reader.ts')
    const clients = parseSource('test/clients/projects/wiki-reader.ts', readFileSync(readers, 'utf8'))
    for (const { imports } of [...everyFile, clients])
      for (const { target, names } of imports) for (const name of names) imported.add(`${target} ${name}`)
    const unused = exported
      .filter(({ path }) => path.startsWith('src/'))
      .filter(({ path, name }) => !imported.has(`${path} ${name}`) && !imported.has(`${path} *`))
    expect(unused).to.deep.equal([])
  })

  it('no exported name is a bare participle', () => {
    expect(exported.filter(({ name }) => PARTICIPLES.test(name))).to.deep.equal([])
  })
})
