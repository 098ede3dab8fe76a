/** What the API of a wiki responds. */
// biome-ignore lint/suspicious/noExplicitAny: tests read many shapes of it
type Json = any

/** A user of a wiki who writes, through its Action API. */
export class WikiClient {
  readonly #url: string
  readonly #cookies = new Map<string, string>()
  #token = ''

  constructor(url: string) {
    this.#url = url
  }

  async signIn(name: string, password: string): Promise<void> {
    const { query } = await this.get({ action: 'query', meta: 'tokens', type: 'login' })
    const { login } = await this.#send({
      action: 'login',
      lgname: name,
      lgpassword: password,
      lgtoken: query.tokens.logintoken,
    })
    if (login.result !== 'Success') throw new Error(`${name} cannot sign in: ${JSON.stringify(login)}`)
    this.#token = (await this.get({ action: 'query', meta: 'tokens' })).query.tokens.csrftoken
  }

  get(parameters: Record<string, string>): Promise<Json> {
    return this.#request(`${this.#url}?${new URLSearchParams({ ...FORMAT, ...parameters })}`, {})
  }

  /** All parts of a list. */
  async list(parameters: Record<string, string>): Promise<Json[]> {
    const parts: Json[] = []
    let next: Record<string, string> | undefined = {}
    while (next !== undefined) {
      const part: Json = await this.get({ action: 'query', ...parameters, ...next })
      parts.push(part.query)
      next = part.continue
    }
    return parts
  }

  /** Changes something. @returns the response, with `error` if the wiki refuses */
  post(parameters: Record<string, string>, file?: { name: string; content: string }): Promise<Json> {
    return this.#send({ ...parameters, token: this.#token }, file)
  }

  #send(parameters: Record<string, string>, file?: { name: string; content: string }): Promise<Json> {
    const body = new FormData()
    for (const [name, value] of Object.entries({ ...FORMAT, ...parameters })) body.set(name, value)
    if (file) body.set(file.name, new Blob([file.content]), `${file.name}.xml`)
    return this.#request(this.#url, { method: 'POST', body })
  }

  async #request(url: string, init: RequestInit): Promise<Json> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      this.#cookies.set(name!, value!)
    }
    const text = await response.text()
    try {
      return JSON.parse(text)
    } catch {
      throw new Error(`The wiki responds with ${response.status}: ${text.slice(0, 500)}`)
    }
  }
}

const FORMAT = { format: 'json', formatversion: '2' }
