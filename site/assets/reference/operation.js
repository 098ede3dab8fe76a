import { makeAnswer } from '../code/answer.js'
import { copyFrom } from '../code/copy.js'
import { showCode } from '../code/highlight.js'
import { samplesOf, urlOf } from '../code/samples.js'
import { element } from '../element.js'
import { makeForm } from './form.js'
import { normalized, targetOf, valuesOf } from './target.js'
import { meantBy } from './unknown.js'

/**
 * One endpoint: its form, its request as a line and as code, and the response. Form and line follow each other.
 * @param {Element} section as the server writes it
 * @param {{ base: string, api: string, store: () => void, endpointAt: (target: string) => object | undefined }} page
 * `base` is the public base URL, for code; `api` the one on the origin of this page, which requests use
 */
export const makeOperation = (section, page) => {
  const { id } = section
  const { template, media } = section.dataset
  const pattern = new RegExp(section.dataset.pattern, 's')
  const namesInPath = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const form = makeForm(section.querySelector('form'))
  const line = section.querySelector('.target')
  const notice = section.querySelector('.notice')
  const next = section.querySelector('.next')
  const codes = [...section.querySelectorAll('.samples code')]
  const answer = makeAnswer(section.querySelector('.answer'))
  /** Names and values of the request that are no parameters of this endpoint. */
  let unknown = []
  let target = normalized(line.value)

  const showSamples = () => {
    const isJson = media === 'application/json' && !/[?&]format=unified(&|$)/.test(target)
    const samples = samplesOf(urlOf(page.base, target), isJson)
    for (const code of codes)
      showCode(code, samples[code.parentElement.dataset.language], code.parentElement.dataset.language)
    const isStale = answer.compare(page.api + target)
    if (next) next.hidden = isStale || !next.dataset.value
  }

  const formWith = (name, value) => [...form.read().filter(([one]) => one !== name), [name, value]]

  const rename = (from, to) => {
    const [, value] = unknown.find(([name]) => name === from)
    setValues([...formWith(to, value), ...unknown.filter(([name]) => name !== from)])
    page.store(operation)
  }

  const unknownNotice = ([name]) => {
    const meant = meantBy(name, form.names)
    const text = ` is not a parameter of this endpoint. The API ignores it. `
    const paragraph = element('p', {}, element('code', {}, name), text)
    if (meant) {
      const button = element(
        'button',
        { type: 'button', class: 'quiet', onclick: () => rename(name, meant) },
        'Use ',
        element('code', {}, meant),
      )
      paragraph.append(button)
    }
    return paragraph
  }

  const elsewhereNotice = () => {
    const other = page.endpointAt(target)
    const text = other
      ? 'This is the request of another endpoint: '
      : 'The API has no endpoint with this path.'
    const adopt = () => other.adopt(target)
    const link = other ? [element('a', { href: `#${other.id}`, onclick: adopt }, other.title)] : []
    return element('p', {}, text, ...link)
  }

  const showNotices = (values) => {
    const notices = values === null ? [elsewhereNotice()] : unknown.map(unknownNotice)
    notice.replaceChildren(...notices)
  }

  /** Writes form, line, code and notices from all names and values of a request. */
  const setValues = (values) => {
    unknown = values.filter(([name]) => !form.names.includes(name))
    form.write(values)
    target = targetOf(template, [...form.read(), ...unknown])
    line.value = target
    showNotices(values)
    showSamples()
  }

  const readLine = () => {
    target = normalized(line.value)
    const values = valuesOf(target, pattern, namesInPath)
    if (values === null || page.endpointAt(target) !== operation) {
      unknown = []
      showNotices(null)
    } else {
      unknown = values.filter(([name]) => !form.names.includes(name))
      form.write(values)
      showNotices(values)
    }
    showSamples()
  }

  const readForm = () => {
    target = targetOf(template, [...form.read(), ...unknown])
    line.value = target
    showNotices(unknown)
    showSamples()
  }

  const send = async () => {
    if (!form.isComplete()) return
    page.store(operation)
    form.mark()
    const response = await answer.send(page.api + target)
    if (!response) return
    if (response.status === 400) form.mark(response.json.error.message)
    const ignored = unknown.map(([name]) => ` The API ignored ${name}, which is not a parameter.`).join('')
    page.announce(
      response.status === 0 ? 'No response.' : `Response with status ${response.status}.${ignored}`,
    )
    if (next) {
      next.hidden = !response.json?.next
      next.dataset.value = response.json?.next ?? ''
    }
  }

  const operation = {
    id,
    title: section.querySelector('h3').textContent.trim(),
    /** @returns {[string, string][]} what the address of the page tells of the request */
    values: () => [...form.read(), ...unknown].filter(([, value]) => value !== ''),
    setValues,
    /** Takes a request that was typed at another endpoint. */
    adopt: (other) => {
      setValues(valuesOf(other, pattern, namesInPath))
      page.store(operation, { now: true })
    },
  }

  const showMissing = ({ target: { dataset } }) => {
    notice.replaceChildren(element('p', {}, 'Fill in ', element('code', {}, dataset.parameter), '.'))
    page.announce(`Fill in ${dataset.parameter}.`)
  }

  // This event does not bubble.
  section.querySelector('form').addEventListener('invalid', showMissing, true)
  section.querySelector('form').addEventListener('input', () => {
    form.mark()
    readForm()
    page.store(operation)
  })
  line.addEventListener('input', () => {
    readLine()
    page.store(operation)
  })
  line.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    send()
  })
  section.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault()
    send()
  })
  next?.addEventListener('click', () => {
    const isAscending = form.read().some(([name, value]) => name === 'order' && value === 'asc')
    setValues([...formWith(isAscending ? 'after' : next.dataset.parameter, next.dataset.value), ...unknown])
    send()
  })
  const share = section.querySelector('.share')
  share.addEventListener('click', () => {
    page.store(operation, { now: true })
    copyFrom(share, location.href)
  })
  return operation
}
