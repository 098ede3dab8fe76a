/** Modules of the package that its own types do not declare. */
declare module 'unbzip2-stream/lib/bit_iterator.js' {
  interface BitReader {
    (bits: number | null): number
    bytesRead: number
  }
  const bitIterator: (nextBuffer: () => Uint8Array | undefined) => BitReader
  export default bitIterator
}

declare module 'unbzip2-stream/lib/bzip2.js' {
  type BitReader = ReturnType<typeof import('unbzip2-stream/lib/bit_iterator.js').default>
  const bzip2: {
    header(bits: BitReader): number
    /** @returns the checksum so far; null at the end of a stream with a valid checksum */
    decompress(
      bits: BitReader,
      onByte: (byte: number) => void,
      buffer: Int32Array,
      bufferLength: number,
      checksum: number,
    ): number | null
  }
  export default bzip2
}
