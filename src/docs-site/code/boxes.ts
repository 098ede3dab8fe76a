import { escapeHtml } from '../template.ts'

/** A tab of a language, which changes the language of the whole page. */
interface LanguageTab {
  language: string
  label: string
  /** Id of the panel that it shows. */
  panel: string
}

/** Tabs that choose the language of the examples. Scripts show them; without scripts, all languages are visible. */
export const languageTabs = (tabs: readonly LanguageTab[], of: string): string =>
  `<div class="tabs languages" role="tablist" aria-label="Language of the code: ${escapeHtml(of)}">${tabs
    .map(
      ({ language, label, panel }, i) =>
        `<button type="button" role="tab" data-language="${language}" aria-controls="${panel}" aria-selected="${i === 0}"${i === 0 ? '' : ' tabindex="-1"'}>${label}</button>`,
    )
    .join('')}</div>`

export const COPY_BUTTON = '<button type="button" class="copy quiet" aria-live="polite">Copy</button>'

/**
 * A box for a response. `site/assets/code/answer.js` shows responses in it.
 * @param options.body HTML of the code that it shows first
 */
export const answerBox = (
  id: string,
  { body, status, extra = '', label }: { body: string; status: string; extra?: string; label: string },
): string => `<div class="box answer">
<div class="bar"><p class="status">${status}</p>
<div class="tabs" role="tablist" aria-label="Parts of the response: ${escapeHtml(label)}"><button type="button" role="tab" aria-controls="${id}-body" aria-selected="true">Body</button><button type="button" role="tab" aria-controls="${id}-headers" aria-selected="false" tabindex="-1">Headers</button></div><span class="actions">${extra}${COPY_BUTTON}</span></div>
<pre id="${id}-body" role="tabpanel" tabindex="0" aria-label="Body of the response: ${escapeHtml(label)}" dir="ltr"><code>${body}</code></pre>
<pre id="${id}-headers" role="tabpanel" tabindex="0" aria-label="Headers of the response: ${escapeHtml(label)}" dir="ltr" hidden><code>Send the request to see the headers of its response.</code></pre>
</div>`
