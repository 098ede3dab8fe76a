/**
 * Marks the link to the section that one reads.
 * @param {Element} navigation with links to the sections
 * @param {(link: Element) => void} onChange called with the link that was marked
 */
export const markCurrentSection = (navigation, onChange = () => {}) => {
  const links = new Map(
    [...navigation.querySelectorAll('a[href^="#"]')].map((link) => [link.hash.slice(1), link]),
  )
  const sections = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean)
  let current
  const update = () => {
    // The last section that begins in the upper third of the window; at the end of the page, the last one.
    const line = innerHeight / 3
    const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2
    const section = atEnd
      ? sections.at(-1)
      : (sections.findLast((one) => one.getBoundingClientRect().top <= line) ?? sections[0])
    const link = section && links.get(section.id)
    if (!link || link === current) return
    current?.removeAttribute('aria-current')
    current = link
    link.setAttribute('aria-current', 'true')
    const { top, bottom } = link.getBoundingClientRect()
    const frame = navigation.getBoundingClientRect()
    if (top < frame.top || bottom > frame.bottom) navigation.scrollTop += top - frame.top - frame.height / 3
    onChange(link)
  }
  let isPlanned = false
  const plan = () => {
    if (isPlanned) return
    isPlanned = true
    requestAnimationFrame(() => {
      isPlanned = false
      update()
    })
  }
  addEventListener('scroll', plan, { passive: true })
  addEventListener('resize', plan)
  update()
}
