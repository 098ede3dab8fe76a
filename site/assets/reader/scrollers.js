import { say } from './words.js'

/** What scrolls sideways if it is too wide. */
const SCROLLERS = 'pre, .scroller'

/**
 * Makes those elements focusable that scroll sideways, so that a keyboard can scroll them, and no others, and marks those
 * that go on at the side. It follows the width of the window.
 * @param {Element} root @param {AbortSignal} signal ends it
 */
export const followScrollers = (root, signal) => {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) update(target)
  })
  for (const scroller of root.querySelectorAll(SCROLLERS)) {
    observer.observe(scroller)
    scroller.addEventListener('scroll', () => markRest(scroller), { passive: true, signal })
  }
  signal.addEventListener('abort', () => observer.disconnect())
}

const markRest = (scroller) => {
  // From right to left, the place is negative.
  const before = Math.abs(scroller.scrollLeft)
  scroller.toggleAttribute('data-less', before > 1)
  scroller.toggleAttribute('data-more', scroller.scrollWidth - scroller.clientWidth - before > 1)
}

const update = (scroller) => {
  markRest(scroller)
  if (scroller.scrollWidth > scroller.clientWidth) {
    scroller.tabIndex = 0
    scroller.setAttribute('role', 'group')
    scroller.setAttribute('aria-label', say(scroller.localName === 'pre' ? 'Code' : 'Table'))
  } else {
    for (const name of ['tabindex', 'role', 'aria-label']) scroller.removeAttribute(name)
  }
}
