import { linesOfFile } from './importing.ts'
import type { ModelPage, ModelRevision, Status } from './model.ts'
import type { RandomChoices } from './random-choices.ts'
import { CATEGORY_KEYS, LINK_NAMES, PAGE_PATHS, randomText, SECRET_PATHS } from './random-texts.ts'

type Page = ModelPage & { type: 'page'; locale: 'en' }

const OPEN_CATEGORIES = CATEGORY_KEYS.slice(0, 2)

/** A wiki in the interchange format that changes at random, with content that guests do not see. */
export class RandomRecords {
  readonly #random: RandomChoices
  readonly #hidden: RandomChoices | null
  #pages = new Map<string, Page>()
  /** Pages and edits that guests never see. */
  #secrets: Page[] = []
  #ids = new Set<string>()

  /**
   * @param random decides what guests see
   * @param hidden decides all else; absent: pages and edits are shown and hidden at random
   */
  constructor(random: RandomChoices, hidden: RandomChoices | null = null) {
    this.#random = random
    this.#hidden = hidden
  }

  change(): void {
    const { below, once, pick } = this.#random
    for (let n = 2 + below(4); n > 0; n--) {
      const path = pick(PAGE_PATHS)
      const page = this.#pages.get(path)
      if (page && once(4)) this.#pages.delete(path)
      else this.#pages.set(path, this.#changed(page ?? { ...NEW, path, revisions: [] }))
    }
    if (this.#hidden) this.#secrets = this.#randomSecrets(this.#hidden)
  }

  #changed(page: Page): Page {
    const { once, pick } = this.#random
    const status = this.#hidden ? 'accepted' : pick(['accepted', 'accepted', 'pending', 'rejected'] as const)
    const state = this.#hidden ? 'live' : pick(['live', 'live', 'draft', 'deleted'] as const)
    const revisions = once(4) ? page.revisions.slice(1) : page.revisions
    const number = page.revisions.length === 0 ? 1 : Number(page.revisions.at(-1)!.id.slice(-6)) + 1
    return {
      ...page,
      state,
      revisions: [...revisions, this.#revision(this.#random, page.path, number, status)],
    }
  }

  #revision(random: RandomChoices, path: string, number: number, status: Status): ModelRevision {
    const { once, pick, below } = random
    const page = [...PAGE_PATHS, ...SECRET_PATHS].indexOf(path)
    const isHidden = random === this.#hidden
    const id = `00000000-0000-4000-8000-${isHidden ? 9 : 0}0${String(page).padStart(4, '0')}${String(number).padStart(6, '0')}`
    this.#ids.add(id)
    return {
      ...{ id, created_at: `2024-01-01T00:00:00.${String(number * 100 + page).padStart(6, '0')}Z`, status },
      ...{ author: pick(['Ada', 'Bob']), comment: pick(['', 'confidential why']) },
      ...{ title: once(2) ? `Title ${below(3)}` : pick(LINK_NAMES), markdown: randomText(random) },
      categories: (isHidden ? CATEGORY_KEYS : OPEN_CATEGORIES).filter(() => once(2)).map((key) => ({ key })),
    }
  }

  #randomSecrets(random: RandomChoices): Page[] {
    const pages = SECRET_PATHS.filter(() => random.once(2)).map((path): Page => {
      const state = random.pick(['draft', 'deleted', 'live'] as const)
      const status = state === 'live' ? 'pending' : random.pick(['accepted', 'draft'] as const)
      return { ...NEW, path, state, revisions: [this.#revision(random, path, 500 + random.below(9), status)] }
    })
    const edits = [...this.#pages.values()]
      .filter(() => random.once(2))
      .map(({ path }): Page => {
        const status = random.pick(['pending', 'rejected', 'draft'] as const)
        return { ...NEW, path, revisions: [this.#revision(random, path, 600 + random.below(9), status)] }
      })
    return [...pages, ...edits]
  }

  lines(): string {
    const wiki = {
      type: 'wiki',
      name: 'Wiki',
      default_locale: 'en',
      locales: [{ locale: 'en', name: 'English' }],
    }
    return linesOfFile(wiki, ...[...this.#pages.values()].toSorted(byPath), ...this.#secrets)
  }

  /** Ids of all edits that there ever were, hidden ones included. */
  revisionIds(): string[] {
    return this.#hidden ? [...this.#ids].filter((id) => id[24] === '0') : [...this.#ids]
  }
}

const NEW = { type: 'page', locale: 'en', state: 'live' } as const

const byPath = (a: Page, b: Page): number => (a.path < b.path ? -1 : 1)
