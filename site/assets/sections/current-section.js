/** Pixels below the top of the window where the section that one reads begins. */
const READING_LINE = 170

/**
 * Marks the link to the section that one reads, and keeps it in sight.
 * @param {Element} list its links lead to sections of this page
 * @param {Element} frame scrolls the list
 * @param {{ signal?: AbortSignal, onChange?: (link?: HTMLAnchorElement) => void, isFirstAtTop?: boolean }} options
 * `signal` ends it; `isFirstAtTop`: the first section is marked above its beginning, too
 */
export const followSections = (list, frame, { signal, onChange, isFirstAtTop } = {}) => {
  const sections = [...list.querySelectorAll('a[href^="#"]')].flatMap((link) => {
    const element = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    return element ? [{ link, element }] : []
  })
  let current
  const mark = () => {
    const section = sectionAt(sections) ?? (isFirstAtTop ? sections[0] : undefined)
    if (section?.link === current) return
    current?.removeAttribute('aria-current')
    current = section?.link
    if (current) {
      current.setAttribute('aria-current', 'true')
      keepInSight(current, frame)
    }
    onChange?.(current)
  }
  let isPlanned = false
  const plan = () => {
    if (isPlanned) return
    isPlanned = true
    requestAnimationFrame(() => {
      isPlanned = false
      if (!signal?.aborted) mark()
    })
  }
  for (const event of ['scroll', 'resize', 'hashchange'])
    addEventListener(event, plan, { passive: true, signal })
  // With the next frame: to measure the page now would be a layout more.
  plan()
}

/** The last section that begins above the line. At the end of the page: the one of the address, or else the last one. */
const sectionAt = (sections) => {
  const topOf = ({ element }) => element.getBoundingClientRect().top
  if (scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2) {
    const chosen = sections.find(({ link }) => link.hash === location.hash)
    return chosen && topOf(chosen) >= 0 ? chosen : sections.at(-1)
  }
  return sections.findLast((section) => topOf(section) < READING_LINE)
}

/** Pixels at the ends of a list, where it fades. */
const FADE = 36

/** Scrolls a list until one of its links is in sight. */
export const keepInSight = (link, frame) => {
  const [inner, outer] = [link.getBoundingClientRect(), frame.getBoundingClientRect()]
  if (inner.top < outer.top + FADE || inner.bottom > outer.bottom - FADE)
    frame.scrollTop += inner.top - outer.top - outer.height / 3
}
