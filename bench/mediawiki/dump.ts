import type { Plan, PlannedPage } from '../world/plan.ts'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (char) => ESCAPES[char]!)

/**
 * An XML dump of pages, each with its last accepted revision and the Markdown unchanged. Titles are unique in a data
 * set, so they identify the pages.
 */
export function* exportXml(plan: Plan, pages: readonly PlannedPage[]): Generator<string> {
  yield '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">\n'
  for (const page of pages) {
    const revision = [...plan.revisions(page)].findLast(({ status }) => status === 'accepted')!
    yield `<page><title>${escapeXml(page.title)}</title><ns>0</ns><revision>
<timestamp>${revision.createdAt.slice(0, 19)}Z</timestamp><contributor><username>${escapeXml(revision.author)}</username></contributor>
<comment>${escapeXml(revision.comment)}</comment><model>wikitext</model><format>text/x-wiki</format>
<text xml:space="preserve">${escapeXml(revision.markdown)}</text></revision></page>\n`
  }
  yield '</mediawiki>\n'
}
