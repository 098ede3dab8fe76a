import { hiddenContents } from '../files/document.ts'
import type { FileTree } from '../files/file-tree.ts'

/** Which contents guests do not see. Only those are read that are asked for. */
export class HiddenBlobs {
  readonly #hidden = new Map<string, boolean>()
  readonly #tree: FileTree

  constructor(tree: FileTree) {
    this.#tree = tree
  }

  has(blob: string): boolean {
    return this.#hidden.get(blob) === true
  }

  isKnown(blob: string): boolean {
    return this.#hidden.has(blob)
  }

  async ask(blobs: readonly string[]): Promise<void> {
    const unknown = [...new Set(blobs)].filter((blob) => !this.isKnown(blob))
    const hidden = await hiddenContents(this.#tree, unknown)
    for (const blob of unknown) this.#hidden.set(blob, hidden.has(blob))
  }
}
