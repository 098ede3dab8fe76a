/** Where the service is. Without this file, `baseUrl` in orval.config.mjs writes its address into the client. */
export const wiki = { baseUrl: '' }

/** Every call of the generated client goes through here. */
export const fetchFromWiki = async <Result>(address: string, options?: RequestInit): Promise<Result> => {
  const response = await fetch(wiki.baseUrl + address, options)
  const text = await response.text()
  const data: unknown = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, data } as Result
}
