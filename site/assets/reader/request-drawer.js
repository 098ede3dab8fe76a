import { breakable } from '../code/lines.js'
import { element } from '../element.js'
import { onApiCall } from './api.js'
import { copyButton } from './copy.js'
import { jsonView } from './json-view.js'
import { bytesText, say } from './words.js'

/** From this width on, the drawer stands beside the page instead of over it. */
const BESIDE = matchMedia('(min-width: 80rem)')

/**
 * The drawer that shows which requests the view has made: each with its response as JSON, and as a command for curl.
 * @param {HTMLButtonElement} button opens and closes it
 * @returns `begin` forgets the requests of the view before. Suggestions replace each other.
 */
export const requestDrawer = (button) => {
  const list = element('div', { class: 'calls' })
  const close = element('button', { type: 'button', class: 'quiet-button' }, say('Close'))
  const drawer = element(
    'dialog',
    { class: 'drawer', id: 'requests', 'aria-labelledby': 'requests-title' },
    element(
      'div',
      { class: 'drawer-top' },
      element('h2', { id: 'requests-title', tabindex: '-1' }, say('Requests of this view')),
      close,
    ),
    element(
      'p',
      { class: 'quiet' },
      say('All that you see comes from these requests to the API. Anyone can send them.'),
    ),
    list,
  )
  document.querySelector('.reader').append(drawer)
  const count = button.querySelector('.count')
  let calls = []

  const update = () => {
    count.textContent = String(calls.length)
    if (drawer.open) list.replaceChildren(...calls.map(({ shown }) => shown()))
  }
  const open = () => {
    if (BESIDE.matches) drawer.show()
    else drawer.showModal()
    update()
    drawer.querySelector('h2').focus()
  }
  button.addEventListener('click', () => (drawer.open ? drawer.close() : open()))
  close.addEventListener('click', () => drawer.close())
  drawer.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') drawer.close()
  })
  // Beside the page, Escape closes it from everywhere, unless something else has used the key.
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && drawer.open && !event.defaultPrevented) drawer.close()
  })
  drawer.addEventListener('close', () => {
    if (!drawer.open) button.focus()
  })
  const reflect = () => {
    button.setAttribute('aria-expanded', String(drawer.open))
    document.documentElement.classList.toggle('with-drawer', drawer.open)
  }
  new MutationObserver(reflect).observe(drawer, { attributeFilter: ['open'] })
  BESIDE.addEventListener('change', () => {
    if (!drawer.open) return
    drawer.close()
    open()
  })

  onApiCall((call) => {
    const kind = callKind(call.url)
    if (TYPED.includes(kind)) calls = calls.filter((one) => one.kind !== kind)
    const isFirst = kind === 'content' && calls.every((one) => one.kind !== kind)
    calls.push({ kind, shown: shownOnce(call, isFirst) })
    calls.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
    update()
  })
  return {
    begin: () => {
      calls = []
      update()
    },
  }
}

/** The kinds of requests, in the order in which they are shown. */
const KINDS = ['suggestion', 'passages', 'content', 'wiki']
/** Those of the search field. */
const TYPED = KINDS.slice(0, 2)

const callKind = (url) => {
  const { pathname, searchParams } = new URL(url)
  if (pathname.endsWith('/suggest')) return 'suggestion'
  const shown = new URLSearchParams(location.search).get('q')
  if (pathname.endsWith('/search') && searchParams.get('q') !== shown) return 'passages'
  return pathname.endsWith('/api/v1/') ? 'wiki' : 'content'
}

/** Creates the elements when they are first shown. */
const shownOnce = (call, isOpen) => {
  let created
  return () => {
    created ??= callElement(call, isOpen)
    return created
  }
}

const callElement = ({ url, status, bytes, ms, body }, isOpen) => {
  const { pathname, search } = new URL(url)
  const command = curlOf(url)
  const content = element('div', { class: 'call' })
  const details = element(
    'details',
    {},
    element(
      'summary',
      {},
      breakable(element('code', { dir: 'ltr' }, element('b', {}, 'GET'), ` ${pathname}${search}`)),
      element(
        'span',
        { class: status < 400 ? 'quiet' : 'quiet refused' },
        `${status} · ${bytesText(bytes)} · ${Math.round(ms)} ms`,
      ),
    ),
    content,
  )
  const fill = () => {
    if (content.childElementCount > 0) return
    content.append(
      element('pre', { class: 'curl', dir: 'ltr' }, breakable(element('code', {}, command))),
      element(
        'p',
        { class: 'actions' },
        copyButton(say('Copy {0}', 'curl'), () => command),
        ...(body === undefined
          ? []
          : [copyButton(say('Copy {0}', 'JSON'), () => JSON.stringify(body, null, 2))]),
        element('a', { href: url, target: '_blank', rel: 'noopener' }, say('Open the response')),
      ),
      body === undefined ? element('p', {}, say('The response is not JSON.')) : jsonView(body),
    )
  }
  details.addEventListener('toggle', () => details.open && fill())
  if (isOpen) {
    details.open = true
    fill()
  }
  return details
}

/** In quotes, a shell interprets nothing but the quote itself. */
const curlOf = (url) => `curl '${url.replaceAll("'", '%27')}'`
