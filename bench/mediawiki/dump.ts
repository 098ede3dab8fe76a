import type { Plan, PlannedPage } from '../world/plan.ts'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => ESCAPES[char]!)

/** Pages by their titles, which no two of a world share, each with its last accepted edit: Markdown as it is. */
export function* dumpOf(plan: Plan, pages: readonly PlannedPage[]): Generator<string> {
  yield '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">\n'
  for (const page of pages) {
    const edit = [...plan.edits(page)].findLast(({ status }) => status === 'accepted')!
    yield `<page><title>${escaped(page.title)}</title><ns>0</ns><revision>
<timestamp>${edit.createdAt.slice(0, 19)}Z</timestamp><contributor><username>${escaped(edit.author)}</username></contributor>
<comment>${escaped(edit.comment)}</comment><model>wikitext</model><format>text/x-wiki</format>
<text xml:space="preserve">${escaped(edit.markdown)}</text></revision></page>\n`
  }
  yield '</mediawiki>\n'
}
