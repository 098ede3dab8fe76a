/** What this API answers, as every client gets it. */
export interface OwnAnswer {
  status: number
  /** The body as text. */
  text: string
  /** The header `Link`. */
  link: string
}

/** Reads this API. @param url path and query under its base URL @throws PublicError when the service is overloaded */
export type ReadOwnApi = (url: string) => Promise<OwnAnswer>
