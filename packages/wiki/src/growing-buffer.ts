/** Bytes that are written one after the other, of unknown number. */
export abstract class GrowingBuffer {
  /** Bytes so far. Make it smaller to remove the last ones. */
  length = 0
  protected bytes: Buffer

  constructor(capacity: number) {
    this.bytes = Buffer.allocUnsafeSlow(capacity)
  }

  /** The bytes so far, not copied: nothing may be written afterwards. */
  written(): Buffer {
    return this.bytes.subarray(0, this.length)
  }

  /** Makes room for further bytes. `bytes` then is another buffer, unless it had enough. */
  reserve(count: number): void {
    const least = this.length + count
    if (least <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(least, 2 * this.bytes.length))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }
}
