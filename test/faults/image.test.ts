import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { packagePath, packageVersion } from '../../src/paths.ts'
import { until } from '../support/until.ts'
import { packedRelease } from './support/built-copy.ts'
import { takesAtMost } from './support/measured.ts'
import { freePort, type ServerCommand, startServerProcess } from './support/server-process.ts'

const DOCKERFILE = readFileSync(packagePath('deploy', 'Dockerfile'), 'utf8')
/** The second stage. The first makes the package of npm, as this test does. */
const STAGE = DOCKERFILE.slice(DOCKERFILE.lastIndexOf('\nFROM ') + 1)
const BASE = /^FROM (\S+)$/m.exec(STAGE)![1]!
/** A user whom the image does not know. */
const USER = 12_345

/** What the image says of itself, as Docker keeps it. */
interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  WorkingDir: string
  Volumes: Record<string, object>
  Healthcheck: { Test: string[] }
}

describe('the image of deploy/Dockerfile, on a Debian with Node', () => {
  let folder: string
  /** The root of the image. */
  let root: string
  let config: ImageConfig

  /** Layers are stacked where the system can do it, and copied elsewhere. */
  const sh = (script: string) => {
    const storage = `export CONTAINERS_STORAGE_CONF='${folder}/storage.conf' BUILDAH_ISOLATION=chroot STORAGE_DRIVER=overlay
      buildah info >/dev/null 2>&1 || export STORAGE_DRIVER=vfs`
    return spawnSync('sh', ['-ec', `${storage}\n${script}`], { encoding: 'utf8', maxBuffer: 1e8 })
  }

  before(function () {
    folder = mkdtempSync(join(tmpdir(), 'lectern-image-'))
    const places = `runroot = "${folder}/run"\ngraphroot = "${folder}/graph"`
    writeFileSync(join(folder, 'storage.conf'), `[storage]\ndriver = "overlay"\n${places}\n`)
    const skip = (reason: string) => {
      process.stdout.write(`  The image is not built: ${reason}\n`)
      this.skip()
    }
    if (process.getuid?.() !== 0) skip('this needs root')
    for (const name of ['buildah', 'mmdebstrap'])
      if (spawnSync(name, ['--version']).error) skip(`Debian's package ${name} is not installed`)
    const node = execFileSync('npx', ['-y', 'node@24', '-p', 'process.execPath'], { encoding: 'utf8' }).trim()
    const based = sh(`
      container=$(buildah from scratch)
      base=$(buildah mount $container)
      mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Languages "none"' --dpkgopt=force-unsafe-io bookworm $base
      cp '${node}' $base/usr/local/bin/node
      chroot $base useradd --uid 1000 --create-home node
      buildah umount $container
      buildah commit --quiet --rm $container docker.io/library/${BASE}`)
    if (based.status !== 0) skip(`there is no base: ${based.stderr}`)
    const context = join(folder, 'context')
    mkdirSync(join(context, 'package'), { recursive: true })
    writeFileSync(join(folder, 'Dockerfile'), STAGE)
    const built = sh(`
      tar -xzf '${packedRelease(folder)}' -C '${context}/package' --strip-components=1
      buildah bud --quiet --format docker --layers=false --pull-never --build-context build='${context}' \
        --file '${folder}/Dockerfile' --tag lectern '${context}' >&2
      buildah mount $(buildah from --pull-never localhost/lectern)`)
    expect(built.status, built.stderr).to.equal(0)
    root = built.stdout.trim()
    config = JSON.parse(sh('buildah inspect --type image localhost/lectern').stdout).Docker.config
  })
  after(() => {
    sh(`buildah rm --all || true; buildah rmi --all --force || true; rm -rf '${folder}'`)
  })

  /** A command in the image: its file system is read-only but for its volume and /tmp, and its user is another one. */
  const inImage = (command: readonly string[], variables: Record<string, string> = {}): ServerCommand => ({
    command: 'unshare',
    args: [
      '--mount',
      'sh',
      '-ec',
      `mount --bind ${root} ${root}
mount -o remount,bind,ro ${root}
for one in proc dev; do mount --rbind /$one ${root}/$one; done
mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp
mount -t tmpfs -o mode=700,uid=${USER} tmpfs ${root}${Object.keys(config.Volumes)[0]}
exec chroot --userspec=${USER}:${USER} ${root} "$@"`,
      'sh',
      ...['/usr/bin/env', '-i', `--chdir=${config.WorkingDir}`, ...config.Env],
      ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
      ...command,
    ],
  })
  const runIn = (...command: string[]) => {
    const { command: program, args } = inImage(command, { PORT: '0', INTERNAL_PORT: '0' })
    return spawnSync(program, args, { encoding: 'utf8' })
  }

  it('has the commands of the package, git with what it needs for https and ssh, and a user without rights', () => {
    expect(config.User).to.equal('node')
    expect(runIn(...config.Entrypoint, '--version').stdout).to.equal(`${packageVersion()}\n`)
    expect(runIn('git', '--version').stdout).to.match(/^git version/)
    expect(runIn('grep', '-c', 'BEGIN CERTIFICATE', '/etc/ssl/certs/ca-certificates.crt').status).to.equal(0)
    expect(runIn('test', '-x', '/usr/bin/ssh').status).to.equal(0)
    expect([runIn('touch', 'x').status, runIn('touch', '/data/x').status]).to.deep.equal([1, 0])
  })

  it('creates no sample wiki by itself, and says what to set', () => {
    expect(runIn(...config.Entrypoint, ...config.Cmd).stderr).to.include('Set DATABASE_URL, name a source')
  })

  it('serves on a read-only disk for another user, and ends in time when it is told to', async () => {
    const [port, internalPort] = [String(await freePort()), String(await freePort())]
    const settings = { PORT: port, INTERNAL_PORT: internalPort }
    const service = startServerProcess(
      inImage([...config.Entrypoint, ...config.Cmd, 'sample/tea-wiki.ndjson'], settings),
    )
    await until('it is ready', async () => {
      expect(service.isRunning(), service.printed()).to.equal(true)
      return (await fetch(`http://127.0.0.1:${internalPort}/ready`).catch(() => undefined))?.ok ?? false
    })
    const page = await fetch(`http://127.0.0.1:${port}/api/v1/pages/sencha?format=html`)
    expect(page.status).to.equal(200)
    const health = inImage(config.Healthcheck.Test.slice(1), settings)
    expect(spawnSync(health.command, health.args).status).to.equal(0)
    const before = performance.now()
    await service.stop('SIGTERM')
    takesAtMost(10_000, 'the image ends after SIGTERM', performance.now() - before)
    expect(service.printed()).to.include('"signal":"SIGTERM"')
  })
})
