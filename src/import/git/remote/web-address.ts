/** How long a server may take to say whether it has a repository, milliseconds. */
const TIMEOUT_MS = 15_000

const ADVERTISEMENT = 'application/x-git-upload-pack-advertisement'

/**
 * The URL of the git repository to which a web address leads: a repository, or a page of a code host that shows one or
 * its wiki.
 * @param address http or https
 * @returns null if no git repository is there, or its server cannot be reached
 */
export const repositoryAt = async (address: string): Promise<string | null> => {
  const url = new URL(address)
  const path = url.pathname.replace(/\/+$/, '')
  if (path.endsWith('.git')) return address
  for (const candidate of candidatesOf(path)) {
    const repository = new URL(url)
    repository.pathname = candidate
    repository.search = ''
    repository.hash = ''
    if (await isRepository(repository)) return repository.href
  }
  return null
}

/** GitHub, Gitea and Forgejo show the wiki of a repository at `/wiki`, GitLab at `/-/wikis`. */
const WIKI_PAGE = /^(\/[^/]+\/[^/]+)\/wiki(?:\/.*)?$|^(\/.+)\/-\/wikis(?:\/.*)?$/

const candidatesOf = (path: string): string[] => {
  const [, github, gitlab] = WIKI_PAGE.exec(path) ?? []
  const project = github ?? gitlab
  return project === undefined ? [path] : [`${project}.wiki.git`]
}

/** Asks as git does before it fetches. */
const isRepository = async (repository: URL): Promise<boolean> => {
  const question = new URL(repository)
  question.pathname = `${repository.pathname}/info/refs`
  question.search = '?service=git-upload-pack'
  // fetch takes no password in a URL.
  const { username, password } = question
  question.username = ''
  question.password = ''
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString(
    'base64',
  )
  try {
    const response = await fetch(question, {
      headers: {
        'User-Agent': 'git/2 (Lectern)',
        ...(username === '' ? {} : { Authorization: `Basic ${login}` }),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const isSmart = response.headers.get('content-type') === ADVERTISEMENT
    if (!response.ok || isSmart) await response.body?.cancel()
    return response.ok && (isSmart || (await listsRefs(response)))
  } catch {
    return false
  }
}

/** A server that only serves files sends `info/refs` as it is: lines with the hash of a commit and a name. */
const listsRefs = async ({ body }: Response): Promise<boolean> => {
  const reader = body?.getReader()
  const { value = Buffer.alloc(0) } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return /^[0-9a-f]{40,64}\trefs\//.test(Buffer.from(value).toString('latin1'))
}
