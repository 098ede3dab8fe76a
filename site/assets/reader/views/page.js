import { get } from '../api.js'
import { contentOf } from '../content.js'
import { element, heading } from '../element.js'
import { inLanguage } from '../language.js'
import { editLine, linkTo } from '../links.js'
import { targetOfWikiUrl } from '../view-targets.js'

/** A page, with its last edit, categories and translations. */
export const page = async ({ path, locale: requestedLocale }, { wiki, signal }) => {
  const data = await get(
    `/pages/${encodeURIComponent(path)}`,
    { locale: requestedLocale, format: 'html' },
    signal,
  )
  const { title, locale, html, categories, translations, revision } = data
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
      element('p', {}, linkTo({ view: 'backlinks', path, locale }, 'Pages that link here')),
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
        element('a', { href: data.url }, 'This page on the wiki'),
        ', under ',
        element('a', { href: data.license, rel: 'license' }, 'its license'),
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

/** The API returns the URL of a translation on the wiki. It contains the path of the translation. */
const translationLink = ({ locale, title, url }, { locales }) => {
  const wikiLink = targetOfWikiUrl(url, locales)
  const name = locales.find((one) => one.locale === locale)?.name ?? locale
  const text = `${name}: ${title}`
  const attributes = { ...inLanguage(locale), hreflang: locale }
  return wikiLink
    ? linkTo(wikiLink.target, text, attributes)
    : element('a', { href: url, ...attributes }, text)
}
