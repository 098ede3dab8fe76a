import { makeAnswer } from './code/answer.js'
import './code/copy.js'
import { showCode } from './code/highlight.js'
import { samplesOf, urlOf } from './code/samples.js'
import './code/tabs.js'
import './docs-search.js'

/* The request beside the promise can be sent. Another one, which the visitor chooses, is sent and shown below its card. */

const [hero, asked] = document.querySelectorAll('.live')
const { base, api } = hero.dataset
const links = [...document.querySelectorAll('.requests [data-target]')]

/** A request as code, and its response. */
const makeConsole = (box, first) => {
  const answer = makeAnswer(box.querySelector('.answer'))
  let target = first
  const send = () => answer.send(api + target)
  box.querySelector('.send').addEventListener('click', send)
  return (chosen) => {
    target = chosen
    const samples = samplesOf(urlOf(base, target), true)
    for (const panel of box.querySelectorAll('.panels pre'))
      showCode(panel.firstElementChild, samples[panel.dataset.language], panel.dataset.language)
    send()
  }
}

makeConsole(hero, links[0].dataset.target)
const ask = makeConsole(asked)

const choose = (link) => {
  const before = link.getBoundingClientRect().top
  for (const one of links) one.removeAttribute('aria-current')
  link.setAttribute('aria-current', 'true')
  link.parentElement.after(asked)
  asked.hidden = false
  // The response to an earlier request may have been above. The card stays where it is.
  scrollBy({ top: link.getBoundingClientRect().top - before, behavior: 'instant' })
  // It moves only if the response would be out of sight.
  asked.scrollIntoView({ block: 'nearest' })
  link.scrollIntoView({ block: 'nearest' })
  ask(link.dataset.target)
}

for (const link of links) {
  link.addEventListener('click', (event) => {
    // With a modifier, the visitor wants the response in a new tab.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    choose(link)
  })
}
