import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

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
 * 1 takes 5 ms and leaves 33 %. (D101)
 */
export const compressors: Record<'br' | 'gzip', Compressor> = {
  br: (body, isFast) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: isFast ? 1 : 4 } }),
  gzip: (body, isFast) => promisify(gzip)(body, { level: isFast ? 1 : 6 }),
}
