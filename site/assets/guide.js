/* Examples in tabs that remember the language, copied and run in place. The tabs are in code/tabs.js. */
import './code/copy.js'
import './sections/sections.js'
import './code/tabs.js'
import './docs-search.js'
import { makeAnswer } from './code/answer.js'

/** Examples run on the origin of this page, whatever the public base URL is. */
const api = new URL('api/v1', document.querySelector('.brand').href).href
const status = document.querySelector('#response-status')

const etagOf = (url) =>
  fetch(url, { method: 'HEAD' }).then(
    (response) => response.headers.get('ETag'),
    () => null,
  )

for (const button of document.querySelectorAll('.run')) {
  const place = document.getElementById(button.getAttribute('aria-controls'))
  const answer = makeAnswer(place.querySelector('.answer'))
  const { target, headers, sendsEtag, part } = JSON.parse(button.dataset.request)
  button.addEventListener('click', async () => {
    place.hidden = false
    place.scrollIntoView({ block: 'nearest' })
    button.textContent = 'Running …'
    if (sendsEtag) headers['If-None-Match'] = (await etagOf(api + target)) ?? ''
    const response = await answer.send(api + target, { headers, part })
    if (!response) return
    button.textContent = 'Run again'
    status.textContent = response.status === 0 ? 'No response.' : `Response with status ${response.status}.`
  })
}
