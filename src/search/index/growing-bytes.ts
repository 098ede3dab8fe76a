import { GrowingBuffer } from '../../growing-buffer.ts'

/** Values of PostgreSQL's binary format. Numbers are in network byte order. */
export class GrowingBytes extends GrowingBuffer {
  constructor() {
    super(1 << 16)
  }

  writeInt32(number: number): void {
    this.reserve(4)
    this.length = this.bytes.writeInt32BE(number, this.length)
  }

  setInt32(at: number, number: number): void {
    this.bytes.writeInt32BE(number, at)
  }

  writeUint16(number: number): void {
    this.reserve(2)
    const bytes = this.bytes
    bytes[this.length++] = number >> 8
    bytes[this.length++] = number & 0xff
  }

  /** In UTF-8. For short ASCII texts, a loop is faster than a call of Node. */
  writeText(text: string): void {
    this.reserve(3 * text.length)
    const bytes = this.bytes
    let at = this.length
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code > 0x7f) {
        this.length = at + bytes.write(text.slice(i), at)
        return
      }
      bytes[at++] = code
    }
    this.length = at
  }

  /** Two ASCII characters, a text in UTF-8, and a zero byte. @returns how many bytes they are, without the zero */
  writeTerminated(first: number, second: number, text: string): number {
    const start = this.length
    this.reserve(3 * text.length + 3)
    this.bytes[start] = first
    this.bytes[start + 1] = second
    this.length = start + 2
    this.writeText(text)
    this.bytes[this.length] = 0
    this.length += 1
    return this.length - start - 1
  }
}
