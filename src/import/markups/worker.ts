import { parentPort } from 'node:worker_threads'
import { convert, LoggerManager, NullLogger } from '@asciidoctor/core'
import textile from 'textile-js'
import { htmlToMarkdown } from './html-to-markdown.ts'

/** A text to convert in this thread. */
export interface ConversionTask {
  markup: 'asciidoc' | 'textile'
  text: string
}

/** `secure`: nothing is included, no file is read, and the text cannot change these settings. */
const ASCIIDOC = {
  safe: 'secure',
  standalone: false,
  attributes: { showtitle: true, idprefix: '', idseparator: '-', relfilesuffix: '', 'sectanchors!': '' },
}

/** The library loses the text of such items, except the first of a list. */
const INDENTED_ITEM = /^ +(?=[*#]+ )/gm

const toHtml = async ({ markup, text }: ConversionTask): Promise<string> =>
  markup === 'textile' ? textile(text.replace(INDENTED_ITEM, '')) : String(await convert(text, ASCIIDOC))

LoggerManager.logger = NullLogger.create()
parentPort!.on('message', (task: ConversionTask) => {
  toHtml(task)
    .then((html) => parentPort!.postMessage({ markdown: htmlToMarkdown(html) }))
    .catch(() => parentPort!.postMessage({ markdown: null }))
})
