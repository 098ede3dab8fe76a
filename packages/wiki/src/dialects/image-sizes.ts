import { escapeUTF8 } from 'entities'
import { unescapeDestination } from '../links.ts'
import { outsideCode } from './lines.ts'

/** The text, URL and title of a picture, and its size: `![A cup](cup.png "Title" =450x)`. */
const SIZED =
  /!\[((?:[^[\]\\\n]|\\.){0,500})\]\([ \t]*(<[^<>\n]{1,1000}>|(?:[^\s()<]|\([^\s()]{0,200}\)){1,1000})(?:[ \t]+(?:"([^"\n]{0,300})"|'([^'\n]{0,300})'))?[ \t]+=(\d{0,5}%?)x(\d{0,5}%?)[ \t]*\)/g

/** Writes pictures with sizes, as Wiki.js reads them (markdown-it-imsize), in HTML. */
export const withImageSizes = (line: string): string =>
  line.includes('x') && line.includes(' =')
    ? outsideCode(line, (part) =>
        part.replace(SIZED, (_, alt: string, url: string, double, single, width, height) => {
          const attributes = {
            src: unescapeDestination(url),
            alt: unescapeDestination(alt),
            title: double ?? single,
            width,
            height,
          }
          const written = Object.entries(attributes).map(([name, value = '']) =>
            value === '' ? '' : ` ${name}="${escapeUTF8(value)}"`,
          )
          // A tag that is alone on its line would begin a block of HTML.
          return `<img${written.join('')}><!-- -->`
        }),
      )
    : line
