/** A file of a tree. */
export interface TreeFile {
  /** Its name from the top folder on, with slashes. U+FFFD replaces bytes that are not UTF-8. */
  name: string
  kind: 'regular' | 'link'
  /** Identifies its content for `readContents`. */
  content: string
}

/** The files of a source at one time: in the tree of a commit, or in a folder. */
export interface FileTree {
  /** Calls back with each file, always in the same order. Leaves out submodules and special files. */
  eachFile(onFile: (file: TreeFile) => void): Promise<void>
  /**
   * Reads contents in the given order. The content of a symbolic link is the name to which it leads. Yields null for a
   * content that is longer than `maxBytes`, or that cannot be read.
   */
  readContents(contents: readonly string[], maxBytes: number): AsyncGenerator<Buffer | null>
}
