/*
 * Runs in every frame before anything else: what a payload calls tells the test (`ran`), and `provoke` does
 * to a document what a reader and their browser may do, faster.
 */
;(() => {
  const tell = window.ran
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) {
    window[name] = () => void tell(name)
  }

  /** Every element, those in shadow trees too. */
  const elementsOf = (root) =>
    [...root.querySelectorAll('*')].flatMap((one) => [
      one,
      ...(one.shadowRoot ? elementsOf(one.shadowRoot) : []),
    ])

  const eventNames = () => {
    const names = new Set()
    for (const type of [Window, Document, HTMLElement, HTMLBodyElement, HTMLMediaElement, SVGElement]) {
      for (const name in type.prototype) if (name.startsWith('on')) names.add(name.slice(2))
    }
    for (const name in window) if (name.startsWith('on')) names.add(name.slice(2))
    return [...names, 'begin', 'end', 'repeat', 'start', 'finish', 'bounce', 'focusin', 'focusout', 'load']
  }

  const names = eventNames()

  const addressOf = ({ href }) => String(href?.animVal ?? href ?? '')
  const isLink = (node) => node instanceof Element && /^(a|area)$/i.test(node.localName)

  const provoke = () => {
    for (const element of elementsOf(document)) {
      // Events cost most of a run, and mean nothing to an element without a handler.
      const isHandling = element.getAttributeNames().some((name) => name.includes('on'))
      if (isHandling) for (const name of names) element.dispatchEvent(new Event(name))
      element.focus?.()
      if (isLink(element)) element.dispatchEvent(new MouseEvent('click', { cancelable: true }))
      else if (/^(button|input|summary)$/.test(element.localName)) element.click()
    }
    if (window.clobbered || document.clobbered) tell('clobbered')
    if (document.title !== 'reader') tell('title')
  }

  // A link to somewhere else is a link; only code in one is of interest.
  const HARMLESS = /^(https?|mailto|tel|sms|geo|xmpp|ircs?|matrix|magnet|sips?|news|nntp|ftps?|bitcoin|urn):/
  addEventListener(
    'click',
    (event) => {
      const link = event.composedPath().find(isLink)
      if (link && HARMLESS.test(addressOf(link))) event.preventDefault()
    },
    true,
  )

  /** Puts HTML in as scripts do, and once more as the browser writes it. */
  const putAgain = (html) => {
    const place = document.createElement('section')
    document.body.append(place)
    place.innerHTML = html
    place.innerHTML = `${place.innerHTML}`
    const template = document.createElement('template')
    template.innerHTML = html
    document.body.append(document.importNode(template.content, true))
  }

  const ADDRESSES =
    /^(href|src|srcset|cite|poster|action|formaction|data|background|ping|longdesc|usemap|manifest|codebase|classid|profile|lowsrc|dynsrc|itemid|itemtype|xlink:href)$/
  const isAbsolute = (address) =>
    /^https?:\/\/[^/]/.test(address) || (/^(?!https?:)/.test(address) && HARMLESS.test(address))

  /** Attributes of the document whose address is not absolute. */
  const relativeAddresses = () =>
    elementsOf(document.body).flatMap((element) =>
      [...element.attributes]
        .filter(({ name }) => ADDRESSES.test(name))
        .filter(({ name, value }) =>
          name === 'srcset' ? !value.split(/,\s+/).every((one) => isAbsolute(one)) : !isAbsolute(value),
        )
        .map(({ name, value }) => `<${element.localName} ${name}="${value}">`),
    )

  /** Long enough for what starts by itself: images that fail, animations, timers of zero. */
  const settled = () => new Promise((resolve) => setTimeout(resolve, 30))

  window.reader = { provoke, putAgain, relativeAddresses, settled }
})()
