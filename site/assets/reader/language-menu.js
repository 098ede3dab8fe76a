import { element } from '../element.js'
import { closeWhenLeft } from './closing.js'
import { inLanguage } from './language.js'
import { linkTo } from './links.js'
import { say } from './words.js'

/** Views that every language has. */
const IN_EVERY_LANGUAGE = ['home', 'search', 'pages', 'recent', 'categories']

/**
 * The menu of languages: first those in which the wiki has this page, then the others, which lead to their first page.
 * @param {HTMLDetailsElement} menu
 * @returns shows the languages of a view. `translations` are the same page in other languages.
 */
export const languageMenu = (menu) => {
  const [summary, panel] = menu.children
  closeWhenLeft(menu)
  return ({ locales }, chosen, target, translations = []) => {
    const current = locales.find(({ locale }) => locale === chosen)
    menu.hidden = locales.length < 2
    summary.replaceChildren(
      element('span', { class: 'unseen' }, `${say('Language')}: `),
      element('span', inLanguage(chosen), current?.name ?? chosen),
    )
    const translated = new Map(translations.map((one) => [one.locale, one]))
    const others = locales.filter(({ locale }) => locale !== chosen && !translated.has(locale))
    const targetIn = (locale) =>
      IN_EVERY_LANGUAGE.includes(target.view) ? { ...target, locale } : { view: 'home', locale }
    const item = ({ locale, name }) => {
      const translation = translated.get(locale)
      const link = linkTo(translation?.target ?? targetIn(locale), '', { hreflang: locale })
      link.append(element('span', inLanguage(locale), name))
      if (translation)
        link.append(element('span', { class: 'quiet', ...inLanguage(locale) }, translation.title))
      return element('li', {}, link)
    }
    const group = (title, list) =>
      list.length === 0 ? [] : [element('p', { class: 'quiet' }, title), element('ul', {}, ...list.map(item))]
    const here = locales.filter(({ locale }) => translated.has(locale))
    panel.replaceChildren(...group(say('This page in'), here), ...group(say('Other languages'), others))
  }
}
