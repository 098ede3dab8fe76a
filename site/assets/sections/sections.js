/* The list of sections: it marks the one that one reads, and folds where there is no room beside the text. */
const navigation = document.querySelector('.sections')
const list = navigation.querySelector('.list')
const opener = navigation.querySelector('.open-sections')
const here = opener.querySelector('.here')

const setOpen = (isOpen) => {
  navigation.toggleAttribute('data-open', isOpen)
  opener.setAttribute('aria-expanded', String(isOpen))
}

opener.addEventListener('click', () => setOpen(!navigation.hasAttribute('data-open')))
list.addEventListener('click', ({ target }) => {
  if (target.closest('a')) setOpen(false)
})
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !navigation.hasAttribute('data-open')) return
  setOpen(false)
  opener.focus()
})

/** Marks the link to the section that one reads, and keeps it in sight. */
const markCurrentSection = () => {
  const links = new Map([...list.querySelectorAll('a[href^="#"]')].map((link) => [link.hash.slice(1), link]))
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
    here.textContent = link.textContent
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

markCurrentSection()
