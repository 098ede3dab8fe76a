import { headText } from '../http/prebuilt-response.ts'
import { PREBUILT_BYTES } from '../limits/responses.ts'
import { scaledToHeap } from '../resources.ts'

/** Names and values in alternation, the form that `writeHead` processes fastest. */
export type HeaderList = string[]

/** What is sent of a response: with the body in one encoding, or as a 304 without a body. */
export class Representation {
  readonly status: number
  readonly headers: HeaderList
  readonly body: Buffer
  #wasSent = false
  #text: PrebuiltText | undefined

  constructor(status: number, headers: HeaderList, body: Buffer) {
    this.status = status
    this.headers = headers
    this.body = body
  }

  /** Head and body for `sendPrebuilt`; undefined for a long body. Kept from the second time on: most are sent once. */
  get text(): PrebuiltText | undefined {
    if (this.#text || this.body.length > PREBUILT_BYTES.body) return this.#text
    const text = { head: headText(this.status, this.headers), body: this.body.toString('latin1') }
    if (this.#wasSent) {
      this.#text = text
      countText(this, text)
    }
    this.#wasSent = true
    return text
  }

  forgetText(): void {
    this.#text = undefined
    this.#wasSent = false
  }
}

interface PrebuiltText {
  /** Status line, and the headers that are the same each time. */
  head: string
  /** One character for each byte. */
  body: string
}

/** All texts, in the order in which they were made. */
const texts = new Map<Representation, number>()
const textBytes = { now: 0, max: scaledToHeap(PREBUILT_BYTES.process) }

/** Counts a new text, and forgets the oldest ones if all texts take too much memory. */
const countText = (representation: Representation, { head, body }: PrebuiltText): void => {
  texts.set(representation, head.length + body.length)
  textBytes.now += head.length + body.length
  for (const [oldest, bytes] of texts) {
    if (textBytes.now <= textBytes.max) return
    oldest.forgetText()
    texts.delete(oldest)
    textBytes.now -= bytes
  }
}
