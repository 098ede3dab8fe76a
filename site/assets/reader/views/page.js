import { get } from '../api.js'
import { contentOf } from '../content.js'
import { element, heading } from '../element.js'
import { inLanguage } from '../language.js'
import { editLine, linkTo } from '../links.js'
import { wikiPlace } from '../places.js'

/** One page, and what belongs to it. */
export const page = async ({ path, locale: asked }, { wiki, signal }) => {
  const read = await get(`/pages/${encodeURIComponent(path)}`, { locale: asked, format: 'html' }, signal)
  const { title, locale, html, categories, translations, revision } = read
  const about = [
    section(
      'Last edit',
      element('p', {}, ...editLine(revision)),
      element(
        'p',
        {},
        linkTo({ view: 'history', path, locale }, 'History'),
        ' · ',
        linkTo({ view: 'difference', to: revision.id }, 'What changed'),
      ),
    ),
    ...(categories.length > 0
      ? [
          section(
            'Categories',
            list(
              categories.map(({ key, name }) =>
                linkTo({ view: 'category', key, locale }, name, inLanguage(locale)),
              ),
            ),
          ),
        ]
      : []),
    ...(translations.length > 0
      ? [section('Other languages', list(translations.map((one) => translationLink(one, wiki))))]
      : []),
    section(
      'Source',
      element(
        'p',
        {},
        element('a', { href: read.url }, 'This page on the wiki'),
        ', under ',
        element('a', { href: read.license, rel: 'license' }, 'its license'),
      ),
    ),
  ]
  return {
    title,
    locale,
    content: [
      element(
        'div',
        { class: 'page' },
        element(
          'article',
          inLanguage(locale),
          heading(title),
          ...contentOf(html, { title, locales: wiki.locales }),
        ),
        element('aside', { 'aria-label': 'About this page' }, ...about),
      ),
    ],
  }
}

const section = (title, ...content) => element('section', {}, element('h2', {}, title), ...content)
const list = (links) => element('ul', {}, ...links.map((link) => element('li', {}, link)))

/** The API gives a translation's address on the wiki, which says its path. */
const translationLink = ({ locale, title, url }, { locales }) => {
  const found = wikiPlace(url, locales)
  const name = locales.find((one) => one.locale === locale)?.name ?? locale
  const text = `${name}: ${title}`
  const attributes = { ...inLanguage(locale), hreflang: locale }
  return found ? linkTo(found.place, text, attributes) : element('a', { href: url, ...attributes }, text)
}
