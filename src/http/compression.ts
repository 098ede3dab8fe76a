import { promisify } from 'node:util'
import { brotliCompress, constants, crc32, deflateRaw, gzip } from 'node:zlib'
import { COMPRESSION_PART_BYTES } from '../limits.ts'

/**
 * Compresses a body outside the main thread.
 * @param isFast whether to take less time and leave more bytes, for a long body that is sent only once
 */
type Compressor = (body: Buffer, isFast: boolean) => Promise<Buffer>

/**
 * Compressors by `Content-Encoding`. The usual levels: Brotli takes about twice the time of gzip, and its bodies are a
 * tenth smaller; quality 11 takes a hundred times as long. The fast levels are for lists with texts, most of whose time
 * went into compression. Measured with 0.87 MB of English Markdown in JSON, CPU time and share of the size: gzip level 6
 * takes 25 ms and leaves 37 %, level 1 takes 9 ms and leaves 41 %; Brotli quality 4 takes 12 ms and leaves 27 %, quality
 * 1 takes 5 ms and leaves 33 %. (D115)
 */
export const compressors: Record<'br' | 'gzip', Compressor> = {
  br: (body, isFast) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: isFast ? 1 : 4 } }),
  gzip: (body, isFast) => (isFast ? gzipInParts(body) : promisify(gzip)(body)),
}

const deflate = promisify(deflateRaw) as (
  part: Buffer,
  options: { level: number; finishFlush: number },
) => Promise<Buffer>

/** RFC 1952, 2.3: the identification, method 8, no flags, no time, fastest compression (XFL 4), unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff])

/**
 * One gzip member, whose parts the threads of Node's pool compress at the same time. Each part but the last ends on the
 * boundary of a byte (`Z_SYNC_FLUSH`), so the compressed parts are one deflate stream.
 */
const gzipInParts = async (body: Buffer): Promise<Buffer> => {
  const parts: Promise<Buffer>[] = []
  let end = 0
  do {
    const start = end
    end += COMPRESSION_PART_BYTES
    const finishFlush = end < body.length ? constants.Z_SYNC_FLUSH : constants.Z_FINISH
    parts.push(deflate(body.subarray(start, end), { level: 1, finishFlush }))
  } while (end < body.length)
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(body), 0)
  trailer.writeUInt32LE(body.length, 4)
  return Buffer.concat([GZIP_HEADER, ...(await Promise.all(parts)), trailer])
}
