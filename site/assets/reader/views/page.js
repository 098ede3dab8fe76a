import { element, heading } from '../../element.js'
import { get } from '../api.js'
import { contentOf } from '../content.js'
import { tableOfContents } from '../contents.js'
import { folderOf } from '../folder.js'
import { inLanguage } from '../language.js'
import { editLine, linkTo, translationLink } from '../links.js'
import { targetOfWikiUrl } from '../view-targets.js'
import { say } from '../words.js'

/** More translations are in the menu of languages alone. */
const TRANSLATIONS_MAX = 6

/** The text about a license that the API names where the wiki has none. */
const UNKNOWN_LICENSE = '/docs/guide#an-unknown-license'

/** A page, with its last edit, categories and translations. */
export const page = async ({ path, locale: requestedLocale }, { wiki, signal }) => {
  const data = await get(
    `/pages/${encodeURIComponent(path)}`,
    { locale: requestedLocale, format: 'html', include: 'summary,links' },
    signal,
  )
  const { title, locale, html, links, categories, translations, revision } = data
  // The API returns the URL of a translation on the wiki. It contains the path of the translation.
  const translated = translations.map((one) => ({
    ...one,
    target: targetOfWikiUrl(one.url, wiki.locales)?.target,
  }))
  const article = element(
    'article',
    inLanguage(locale),
    ...contentOf(html, { title, path: data.path, locale, locales: wiki.locales, links: links.items }),
  )
  const contents = tableOfContents(article)
  const { trail, neighbours, turns } = folderOf(data, signal)
  const about = [
    section(
      say('Last edit'),
      element('p', {}, ...editLine(revision)),
      element(
        'p',
        {},
        linkTo({ view: 'history', path, locale }, say('History')),
        ' · ',
        linkTo({ view: 'difference', to: revision.id, locale }, say('What changed')),
      ),
      element('p', {}, linkTo({ view: 'backlinks', path, locale }, say('Pages that link here'))),
    ),
    ...(categories.length > 0
      ? [
          section(
            say('Categories'),
            list(
              categories.map(({ key, name }) =>
                linkTo({ view: 'category', key, locale }, name, inLanguage(locale)),
              ),
            ),
          ),
        ]
      : []),
    ...(translated.length > 0 && translated.length <= TRANSLATIONS_MAX
      ? [section(say('Other languages'), list(translated.map((one) => translationLink(one, wiki))))]
      : []),
    section(
      say('Source'),
      element(
        'p',
        {},
        ...(isHere(data.url) ? [] : [element('a', { href: data.url }, say('This page on the wiki')), ' · ']),
        data.license.endsWith(UNKNOWN_LICENSE)
          ? element('a', { href: data.license }, say('Unknown license'))
          : element('a', { href: data.license, rel: 'license' }, say('License')),
      ),
    ),
  ]
  return {
    title,
    locale,
    translations: translated.filter(({ target }) => target !== undefined),
    content: [
      element(
        'div',
        { class: 'page' },
        element('header', {}, ...trail, heading(title, inLanguage(locale))),
        element('div', { class: 'side' }, ...(contents ? [contents] : []), neighbours),
        article,
        ...turns,
        element('aside', { 'aria-label': say('About this page') }, ...about),
      ),
    ],
  }
}

/** Whether the wiki's own page is this one. */
const isHere = (url) => url === location.origin + location.pathname

const section = (title, ...content) => element('section', {}, element('h2', {}, title), ...content)
const list = (links) => element('ul', {}, ...links.map((link) => element('li', {}, link)))
