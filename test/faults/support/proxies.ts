import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onlyCodeBlock, substitute } from '../../support/documents.ts'
import { startBalancer } from './balancer.ts'
import { sendHttp1 } from './http-client.ts'
import { freePort, ready, startServerProcess } from './server-process.ts'

/** What stands behind a proxy. */
export interface Upstream {
  port: number
  internalPort: number
}

/** A proxy that speaks TLS, with the configuration that the documentation has for it. Only addresses and paths are replaced. */
export interface ReverseProxy {
  port: number
  /** Port of the server of dumps, if the documentation has one for this proxy. */
  dumpsPort?: number
  stop(): Promise<void>
}

/** A folder that every user may read, and a certificate in it. */
interface ProxyFolder {
  path(name: string): string
  remove(): void
}

const makeFolder = (): ProxyFolder => {
  const root = mkdtempSync(join(tmpdir(), 'lectern-proxy-'))
  chmodSync(root, 0o755)
  const path = (name: string) => join(root, name)
  const subject = ['-subj', '/CN=api.wiki.example', '-days', '2']
  const keys = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    path('key.pem'),
  ]
  execFileSync('openssl', ['req', '-x509', ...keys, '-out', path('certificate.pem'), ...subject], {
    stdio: 'pipe',
  })
  return { path, remove: () => rmSync(root, { recursive: true, force: true }) }
}

const startReverseProxy = async (
  command: string,
  args: string[],
  folder: ProxyFolder,
  { port, dumpsPort }: Omit<ReverseProxy, 'stop'>,
  environment: Record<string, string> = {},
): Promise<ReverseProxy> => {
  const server = startServerProcess({ command, args, environment })
  await ready(server, async () => {
    const { status } = await sendHttp1({ port, tls: true, path: '/api/v1/' })
    if (status !== 200) throw new Error(`status ${status}`)
  })
  const stop = async () => {
    await server.stop()
    folder.remove()
  }
  return { port, ...(dumpsPort ? { dumpsPort } : {}), stop }
}

/** Debian's `nginx.conf` compresses, so this one does too. */
const NGINX = (server: string, folder: ProxyFolder) => `
pid ${folder.path('nginx.pid')};
error_log stderr;
events {}
http {
  access_log off;
  gzip on;
  gzip_types application/json text/plain;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder.path(name)};`).join(' ')}
  ${server}
}
`

/** @param dumps folder of the dumps */
export const startNginx = async ({ port: upstream }: Upstream, dumps: string): Promise<ReverseProxy> => {
  const [folder, port, plainPort] = [makeFolder(), await freePort(), await freePort()]
  const server = substitute(onlyCodeBlock('docs/operating/tls.md', /^upstream /), [
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['/etc/letsencrypt/live/api.wiki.example/fullchain.pem', folder.path('certificate.pem')],
    ['/etc/letsencrypt/live/api.wiki.example/privkey.pem', folder.path('key.pem')],
    ['127.0.0.1:3000', `127.0.0.1:${upstream}`],
  ])
  const location = substitute(onlyCodeBlock('docs/dumps.md', /^location/), [['/srv/dumps/', `${dumps}/`]])
  writeFileSync(folder.path('nginx.conf'), NGINX(server.replace(/\}\s*$/, `${location}\n}`), folder))
  const args = ['-c', folder.path('nginx.conf'), '-g', 'daemon off;']
  return startReverseProxy('nginx', args, folder, { port, dumpsPort: port })
}

/** @param dumps folder of the dumps */
export const startCaddy = async ({ port: upstream }: Upstream, dumps: string): Promise<ReverseProxy> => {
  const [folder, port, dumpsPort] = [makeFolder(), await freePort(), await freePort()]
  const api = substitute(onlyCodeBlock('docs/operating/tls.md', /reverse_proxy/), [
    ['api.wiki.example', `https://127.0.0.1:${port}`],
    ['127.0.0.1:3000', `127.0.0.1:${upstream}`],
  ])
  const files = substitute(onlyCodeBlock('docs/dumps.md', /^dumps\.example/), [
    ['dumps.example', `https://127.0.0.1:${dumpsPort}`],
    ['/srv/dumps', dumps],
  ])
  // Its own authority signs the certificates, and port 80 stays free.
  const options = ['admin off', 'local_certs', 'skip_install_trust', 'auto_https disable_redirects']
  writeFileSync(folder.path('Caddyfile'), `{\n${options.join('\n')}\n}\n${api}\n${files}\n`)
  mkdirSync(folder.path('home'))
  const args = ['run', '--adapter', 'caddyfile', '--config', folder.path('Caddyfile')]
  return startReverseProxy('caddy', args, folder, { port, dumpsPort }, { HOME: folder.path('home') })
}

/** With the line for TLS that deploy/haproxy.cfg has as a comment. */
export const startHaproxy = async (upstream: Upstream): Promise<ReverseProxy> => {
  const [folder, port] = [makeFolder(), await freePort()]
  writeFileSync(
    folder.path('both.pem'),
    execFileSync('cat', [folder.path('certificate.pem'), folder.path('key.pem')]),
  )
  const balancer = await startBalancer([upstream, upstream], {
    tls: { port, certificate: folder.path('both.pem') },
  })
  const stop = async () => {
    await balancer.stop()
    folder.remove()
  }
  return { port, stop }
}
