import { element } from '../../element.js'
import { get, getUntil } from '../api.js'
import { growthOf } from '../growth.js'
import { editParts, entryOf, growingList, lineOf, linkTo, viewOf } from '../links.js'
import { titleOf } from '../near.js'
import { bytesText, differenceText, say } from '../words.js'

/** The accepted edits of a page, newest first. Users can compare any two of them; the older one is always `from`. */
export const history = async ({ path, locale }, { signal, go }) => {
  const getPart = async (before) => {
    const query = { locale, limit: '50', before }
    const part = await get(`/pages/${encodeURIComponent(path)}/history`, query, signal)
    return { ...part, items: part.items.map((edit, i) => ({ ...edit, difference: growthOf(part, i) })) }
  }
  const [first, name] = await Promise.all([getPart(''), titleOf(path, locale, getUntil(signal))])
  const canCompare = first.items.length > 1
  const heads = element(
    'p',
    { class: 'choices quiet', 'aria-hidden': 'true' },
    element('span', {}, say('From')),
    element('span', {}, say('To')),
  )
  const form = element(
    'form',
    {
      onsubmit: (event) => {
        event.preventDefault()
        const data = new FormData(form)
        const ids = [...form.querySelectorAll('[name=to]')].map(({ value }) => value)
        const [to, from] = ids.filter((id) => id === data.get('from') || id === data.get('to'))
        go({ view: 'difference', from, to, locale })
      },
    },
    ...(canCompare ? [heads] : []),
    ...growingList(first, getPart, (edit, index) => row(edit, index, locale, canCompare)),
    ...(canCompare
      ? [element('p', { class: 'compare' }, element('button', {}, say('Compare the selected edits')))]
      : []),
  )
  const title = say('History of {0}', name)
  return {
    title,
    locale,
    path,
    content: viewOf(
      title,
      element('p', {}, linkTo({ view: 'page', path, locale }, say('Current page'))),
      form,
    ),
  }
}

const row = (edit, index, locale, canCompare) => {
  const choice = (name, text, checked) =>
    element('input', {
      type: 'radio',
      name,
      value: edit.id,
      checked,
      title: text,
      'aria-label': `${text}: ${edit.created_at.slice(0, 10)}, ${edit.author.name}`,
    })
  const choices = element(
    'span',
    { class: 'choices' },
    choice('from', say('From'), index === 1),
    choice('to', say('To'), index === 0),
  )
  const difference = edit.difference === undefined ? '' : ` (${differenceText(edit.difference)})`
  return element(
    'li',
    { class: canCompare ? 'edit' : false },
    ...(canCompare ? [choices] : []),
    entryOf(
      [lineOf(editParts(edit)), element('p', { class: 'quiet' }, bytesText(edit.size) + difference)],
      [
        linkTo({ view: 'edit', id: edit.id, locale }, say('View this version')),
        linkTo({ view: 'difference', to: edit.id, locale }, say('What changed')),
      ],
    ),
  )
}
