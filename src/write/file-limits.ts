import { FILE_BYTES_MAX } from '@lectern/wiki/limits'

/** Which files an import stores. */
export interface FileLimits {
  bytesMax: number
  allows(mediaType: string, path: string): boolean
  /** Differs for other limits: files that were stored with others are read again. */
  key: string
}

interface FileSettings {
  fileBytesMax: number
  /** Media types, their beginnings, or extensions: `application/pdf`, `image`, `.zip`. Absent: all known types. */
  filesAllow?: readonly string[] | undefined
}

export const makeFileLimits = ({ fileBytesMax, filesAllow }: FileSettings): FileLimits => ({
  bytesMax: fileBytesMax,
  allows: (mediaType, path) =>
    filesAllow?.some((one) =>
      one.startsWith('.') ? path.toLowerCase().endsWith(one) : `${mediaType}/`.startsWith(`${one}/`),
    ) ?? mediaType !== 'application/octet-stream',
  key: `${filesAllow ?? ''} ${fileBytesMax} `,
})

export const DEFAULT_FILE_LIMITS = makeFileLimits({ fileBytesMax: FILE_BYTES_MAX })
