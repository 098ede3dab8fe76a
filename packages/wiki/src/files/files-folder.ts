/** The folder with the bytes of the files that a file in NDJSON names: `wiki.files` beside `wiki.ndjson.gz`. */
export const filesFolderOf = (file: string): string =>
  `${file.replace(/(?<=[^/\\])(?:\.ndjson)?(?:\.gz)?$/, '')}.files`
