import { pathToFileURL } from 'node:url'
import { packagePath } from '../paths.ts'
import { memoize } from '../shared/memoize.ts'
import { escapeHtml } from './template.ts'

interface Highlighter {
  registerLanguage(name: string, definition: unknown): void
  highlight(code: string, options: { language: string }): { value: string }
}

const load = (path: string) => import(pathToFileURL(path).href)

/** A file of highlight.js, as browsers load it. */
const loadFile = async (name: string) =>
  (await load(packagePath('dist', 'site', 'highlightjs', `${name}.js`))).default

/** The highlighter, loaded with the first page that shows code. */
export const loadHighlighter = memoize(async () => {
  const highlighter: Highlighter = await loadFile('core')
  for (const language of [...Object.keys(SAMPLE_LANGUAGES), 'json']) {
    const file = `languages/${language === 'curl' ? 'bash' : language}`
    highlighter.registerLanguage(language, await loadFile(file))
  }
  const { inLines } = await loadModules()
  /** Code as HTML: a `span` for each line, and in it for each token that has a color. */
  return (code: string, language: SampleLanguage | 'json'): string =>
    inLines(highlighter.highlight(code, { language }).value)
})

export type Highlight = Awaited<ReturnType<typeof loadHighlighter>>

export const SAMPLE_LANGUAGES = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  go: 'Go',
} as const

export type SampleLanguage = keyof typeof SAMPLE_LANGUAGES

export type Samples = Record<SampleLanguage, string>

interface BrowserModules {
  urlOf(base: string, target: string): string
  samplesOf(url: string, isJson: boolean): Samples
  formatJson(value: unknown): string
  /** Code as HTML in which lines can break within URLs. */
  withBreaks(html: string): string
  /** The same with each line as an element. */
  inLines(html: string): string
  /** Attributes of an element whose text is in a language. */
  inLanguage(locale: string, text?: string): { lang: string; dir: 'ltr' | 'rtl' | 'auto' }
  fontLinks(locale: string, html: string, root: string): string
  targetOfQuery(query: URLSearchParams): ViewTarget
  firstView(target: ViewTarget, site: object, next?: string): Promise<ShownPage>
}

/** A view of the reader, with its parameters, as `site/assets/reader/targets.js` describes them. */
export interface ViewTarget {
  view: string
  locale?: string
  q?: string
}

/** A page of the wiki as the head of its HTML describes it. Absent members: those of the reader. A part of a list is no view. */
export interface ShownPage extends Partial<ViewTarget> {
  status: number
  title?: string
  description?: string
  url?: string
  /** What the wiki is called in its language. */
  name?: string
  languages?: readonly { locale: string; url: string }[]
  /** The URL to which a page moved. Then nothing else is there. */
  movedTo?: string
  /** HTML around it: the tree, and the menu of languages. */
  tree?: string
  menu?: string
  hasCategories?: boolean
  /** Its HTML as the reader will show it: text, its revision, heading (absent: the title) with its id, path, contents, and what is about it. */
  content?: Readonly<Record<'article' | 'trail' | 'contents' | 'about' | 'revision', string>> & {
    heading?: string
    id?: string
  }
  /** HTML of any other view, for browsers without scripts. */
  html?: string
}

/** Modules that browsers load as well, so that both write the same. */
export const loadModules = memoize(async (): Promise<BrowserModules> => {
  const files = 'code/samples code/json code/lines reader/first-view reader/language reader/targets'
  const modules = await Promise.all(
    files.split(' ').map((file) => load(packagePath('site', 'assets', `${file}.js`))),
  )
  return Object.assign({}, ...modules)
})

/**
 * The code of a request in each language, as panels and the tabs that choose among them.
 * @param id what the ids of the panels begin with
 * @param label what the request is about
 */
export const samplePanels = (id: string, samples: Samples, highlight: Highlight, label = '') => {
  const languages = Object.keys(SAMPLE_LANGUAGES) as SampleLanguage[]
  const panels = languages.map(
    (language) =>
      `<pre id="${id}-${language}" class="panel" role="tabpanel" data-language="${language}" tabindex="0" aria-label="${SAMPLE_LANGUAGES[language]}${label && `: ${escapeHtml(label)}`}" dir="ltr"><code>${highlight(samples[language], language)}</code></pre>`,
  )
  return { languages, panels: panels.join('') }
}

/**
 * Tabs that choose the language of the examples, on the whole page. Scripts show them; without scripts, all languages are
 * visible.
 * @param id what the ids of the panels begin with
 */
export const languageTabs = (id: string, languages: readonly SampleLanguage[], of: string): string =>
  `<div class="tabs languages" role="tablist" aria-label="Language of the code: ${escapeHtml(of)}">${languages
    .map(
      (language, i) =>
        `<button type="button" role="tab" data-language="${language}" aria-controls="${id}-${language}" aria-selected="${i === 0}"${i === 0 ? '' : ' tabindex="-1"'}>${SAMPLE_LANGUAGES[language]}</button>`,
    )
    .join('')}</div>`

export const COPY_BUTTON = '<button type="button" class="copy quiet" aria-live="polite">Copy</button>'

/** A box for responses, in which `answer.js` shows them. @param options.body HTML of the code that it shows first */
export const answerBox = (
  id: string,
  { body, status, extra = '', label }: { body: string; status: string; extra?: string; label: string },
): string => `<div class="box answer">
<div class="bar"><p class="status">${status}</p>${extra}
<div class="tabs" role="tablist" aria-label="Parts of the response: ${escapeHtml(label)}"><button type="button" role="tab" aria-controls="${id}-body" aria-selected="true">Body</button><button type="button" role="tab" aria-controls="${id}-headers" aria-selected="false" tabindex="-1">Headers</button></div><span class="actions">${COPY_BUTTON}</span></div>
<pre id="${id}-body" role="tabpanel" tabindex="0" aria-label="Body of the response: ${escapeHtml(label)}" dir="ltr"><code>${body}</code></pre>
<pre id="${id}-headers" role="tabpanel" tabindex="0" aria-label="Headers of the response: ${escapeHtml(label)}" dir="ltr" hidden><code>Send the request to see the headers of its response.</code></pre>
</div>`
