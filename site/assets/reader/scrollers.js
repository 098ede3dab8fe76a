/** What scrolls sideways if it is too wide. */
const SCROLLERS = 'pre, .scroller'

/**
 * Makes those elements focusable that scroll sideways, so that a keyboard can scroll them, and no others. It follows
 * the width of the window.
 * @param {Element} root @param {AbortSignal} signal ends it
 */
export const followScrollers = (root, signal) => {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) update(target)
  })
  for (const scroller of root.querySelectorAll(SCROLLERS)) observer.observe(scroller)
  signal.addEventListener('abort', () => observer.disconnect())
}

const update = (scroller) => {
  if (scroller.scrollWidth > scroller.clientWidth) {
    scroller.tabIndex = 0
    scroller.setAttribute('role', 'group')
    scroller.setAttribute('aria-label', scroller.localName === 'pre' ? 'Code' : 'Table')
  } else {
    for (const name of ['tabindex', 'role', 'aria-label']) scroller.removeAttribute(name)
  }
}
