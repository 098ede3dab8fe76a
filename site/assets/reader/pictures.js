import { element } from '../element.js'
import { say } from './words.js'

/** How much larger than it is shown a picture is that can be enlarged. A drawing can always be. */
const LARGE = 1.3
/** Pixels of icons and badges, which nobody enlarges. */
const ICON = 64

/** A picture that is shown smaller than it could be leads to its file, in a dialog. One that leads elsewhere stays as it is. */
export const enlargeable = (image) => {
  const { src, alt, clientWidth, clientHeight } = image
  const own = image.closest('a, summary')
  if (own && (own.href !== src || own.hasAttribute('aria-haspopup'))) return
  const isLarger = image.naturalWidth >= clientWidth * LARGE || /\.svg$/i.test(new URL(src).pathname)
  // A diagram of many steps in a row can be as low as an icon.
  const isIcon = Math.min(clientWidth, clientHeight) <= ICON && !image.matches('.diagram')
  if (!own && (!isLarger || isIcon)) return
  const link = own ?? element('a', fileOf(image))
  const name = alt || decodeURI(src.replace(/.*\//, ''))
  if (!link.textContent.trim()) link.setAttribute('aria-label', name)
  link.setAttribute('aria-haspopup', 'dialog')
  link.addEventListener('click', (event) => {
    // With a key, the file is for a new tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    open(image, name, link)
  })
  if (own) return
  image.replaceWith(link)
  link.append(image)
}

/** Attributes of a link to the file of a picture. That of a diagram has no address: a browser can only store it. */
const fileOf = ({ src, alt }) => ({ href: src, download: src.startsWith('data:') && `${alt}.svg` })

/** A picture in the window. The button around it shows it in its own size, which can be larger. */
const open = (image, name, link) => {
  const { src, alt, naturalWidth, naturalHeight } = image
  const zoom = () => button.setAttribute('aria-pressed', String(button.ariaPressed !== 'true'))
  const button = element(
    'button',
    { 'aria-pressed': 'false', onclick: zoom },
    element('img', { src, alt: name }),
  )
  const onclose = () => {
    dialog.remove()
    link.focus({ preventScroll: true })
  }
  const close = { class: 'quiet-button', autofocus: true, onclick: () => dialog.close() }
  const dialog = element(
    'dialog',
    { class: 'picture', 'aria-label': name, onclose },
    element(
      'p',
      { class: 'drawer-top' },
      element('span', { lang: image.closest('[lang]').lang, dir: 'auto' }, alt),
      element(
        'a',
        { ...fileOf(image), target: '_blank', rel: 'noopener' },
        `${naturalWidth} × ${naturalHeight}`,
      ),
      element('button', close, say('Close')),
    ),
    button,
  )
  // It goes with the view.
  document.querySelector('#main').append(dialog)
  dialog.showModal()
}
