import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { parse } from 'yaml'
import { packagePath } from '../src/paths.ts'

const read = (...path: string[]) => readFileSync(packagePath(...path), 'utf8')

/** Settings that README.md documents. */
const settings = new Set([...read('README.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name!))

describe('deploy/', () => {
  const compose = parse(read('deploy', 'compose.yaml'), { merge: true })

  it('compose.yaml has two gateways, a primary, a replica, Redis and a balancer', () => {
    expect(Object.keys(compose.services)).to.include.members([
      'gateway-a',
      'gateway-b',
      'primary',
      'replica',
      'redis',
      'balancer',
    ])
    expect(Object.keys(compose.volumes)).to.deep.equal(['primary', 'replica'])
  })

  it('its gateways share the rate limit, trust the balancer alone, and publish no port', () => {
    for (const name of ['gateway-a', 'gateway-b']) {
      const { environment, ports, image } = compose.services[name]
      expect(environment).to.include({ REDIS_URL: 'redis://redis:6379', TRUSTED_PROXIES: 1 })
      expect(ports).to.equal(undefined)
      expect(image).to.equal('lectern')
    }
  })

  it('it sets nothing that the service does not know', () => {
    for (const name of ['gateway-a', 'gateway-b', 'migrate', 'admin']) {
      const unknown = Object.keys(compose.services[name].environment).filter((each) => !settings.has(each))
      expect(unknown, name).to.deep.equal([])
    }
  })

  it('it asks for no variable that example.env does not name', () => {
    const given = new Set(
      [...read('deploy', 'example.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name),
    )
    const asked = [...read('deploy', 'compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name)
    expect(asked.filter((name) => !given.has(name))).to.deep.equal([])
  })

  it('it mounts files that are there, and haproxy.cfg names its gateways', () => {
    const mounts = [...read('deploy', 'compose.yaml').matchAll(/(?<![.\w])\.\/([\w./-]+):/g)].map(
      ([, path]) => path!,
    )
    expect(mounts.length).to.be.at.least(3)
    for (const path of mounts) expect(existsSync(packagePath('deploy', path)), path).to.equal(true)
    for (const [, host] of read('deploy', 'haproxy.cfg').matchAll(/^ +server \w+ ([\w-]+):3000$/gm))
      expect(compose.services).to.have.property(host!)
  })

  it('the Dockerfile copies what is there', () => {
    const copied = [...read('deploy', 'Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, paths]) => paths!.split(' '),
    )
    expect(copied).to.include.members(['src', 'schema', 'sample', 'package.json', 'package-lock.json'])
    for (const path of copied) expect(existsSync(packagePath(path)), path).to.equal(true)
  })

  it('the dashboard has panels with queries of the service’s metrics, none over another', () => {
    const { panels } = JSON.parse(read('deploy', 'grafana', 'lectern.json'))
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }: { expr: string }) => expr))
    expect(queries.length).to.be.at.least(20)
    for (const query of queries) expect(query).to.match(/\b(lectern|process|nodejs)_[a-z0-9_]+\{job=/)
    const families = read('src', 'internal', 'metrics.ts')
    for (const [name] of queries.join().matchAll(/\blectern_\w+/g))
      expect(families).to.include(`'${name.replace(/_bucket$/, '')}'`)
    const places = panels.flatMap(({ gridPos: { x, y, w, h } }: { gridPos: Record<string, number> }) =>
      Array.from({ length: w! * h! }, (_, i) => `${x! + (i % w!)},${y! + Math.floor(i / w!)}`),
    )
    expect(new Set(places).size).to.equal(places.length)
  })

  it('the unit sets nothing that the service does not know', () => {
    const set = [...read('deploy', 'lectern.service').matchAll(/^Environment=(.*)$/gm)]
      .flatMap(([, text]) => text!.split(' '))
      .map((pair) => pair.split('=')[0]!)
    expect(set.filter((name) => name !== 'NODE_ENV' && !settings.has(name))).to.deep.equal([])
  })
})
