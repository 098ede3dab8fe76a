import { makeAnswer } from './code/answer.js'
import './code/copy.js'
import { showCode } from './code/highlight.js'
import { samplesOf, urlOf } from './code/samples.js'
import './code/tabs.js'
import './docs-search.js'

/* The request beside the promise: the visitor chooses another one, and sends it. */

const live = document.querySelector('.live')
const { base, api } = live.dataset
const links = [...document.querySelectorAll('.requests a')]
const panels = [...live.querySelectorAll('.panels pre')]
const answer = makeAnswer(live.querySelector('.answer'))
const body = live.querySelector('#live-body')

/** Pixels that stay in sight above the field. */
const LINES_ABOVE = 80

let chosen = links[0]

/** Brings the field into sight that `format` asks for. */
const showField = () => {
  const format = new URLSearchParams(chosen.dataset.target.split('?')[1]).get('format')
  const field = [...body.querySelectorAll('.hljs-attr')].find(
    ({ textContent }) => textContent === `"${format}"`,
  )
  if (field)
    body.scrollTop = field.getBoundingClientRect().top - body.getBoundingClientRect().top - LINES_ABOVE
}

const send = async () => {
  await answer.send(api + chosen.dataset.target)
  showField()
}

const choose = (link) => {
  chosen.removeAttribute('aria-current')
  chosen = link
  link.setAttribute('aria-current', 'true')
  const samples = samplesOf(urlOf(base, link.dataset.target), true)
  for (const panel of panels)
    showCode(panel.firstElementChild, samples[panel.dataset.language], panel.dataset.language)
}

live.querySelector('.send').addEventListener('click', send)

for (const link of links) {
  link.addEventListener('click', (event) => {
    // With a modifier, the visitor wants the response in a new tab.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    choose(link)
    send()
    const { top, bottom } = live.getBoundingClientRect()
    if (top < 0 || bottom > innerHeight) live.scrollIntoView({ block: 'start' })
  })
}

showField()
