/*
 * Runs in every frame before all other code. Functions that payloads call report to the test (`ran`). `provoke` does to
 * a document what a user and a browser can do, only faster.
 */
;(() => {
  const report = window.ran
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) {
    window[name] = () => void report(name)
  }

  /** All elements, including those in shadow trees. */
  const elementsOf = (root) =>
    [...root.querySelectorAll('*')].flatMap((element) => [
      element,
      ...(element.shadowRoot ? elementsOf(element.shadowRoot) : []),
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

  const hrefOf = ({ href }) => String(href?.animVal ?? href ?? '')
  const isLink = (node) => node instanceof Element && /^(a|area)$/i.test(node.localName)

  const provoke = () => {
    for (const element of elementsOf(document)) {
      // Events take most of the time of a run, and have no effect on an element without a handler.
      const isHandling = element.getAttributeNames().some((name) => name.includes('on'))
      if (isHandling) for (const name of names) element.dispatchEvent(new Event(name))
      element.focus?.()
      if (isLink(element)) element.dispatchEvent(new MouseEvent('click', { cancelable: true }))
      else if (/^(button|input|summary)$/.test(element.localName)) element.click()
    }
    if (window.clobbered || document.clobbered) report('clobbered')
    if (document.title !== 'reader') report('title')
  }

  // Links to other sites are harmless. Only links with code are of interest.
  const HARMLESS = /^(https?|mailto|tel|sms|geo|xmpp|ircs?|matrix|magnet|sips?|news|nntp|ftps?|bitcoin|urn):/
  addEventListener(
    'click',
    (event) => {
      const link = event.composedPath().find(isLink)
      if (link && HARMLESS.test(hrefOf(link))) event.preventDefault()
    },
    true,
  )

  /** Inserts HTML like a script, and once more in the form in which the browser serializes it. */
  const insertAgain = (html) => {
    const section = document.createElement('section')
    document.body.append(section)
    section.innerHTML = html
    section.innerHTML = `${section.innerHTML}`
    const template = document.createElement('template')
    template.innerHTML = html
    document.body.append(document.importNode(template.content, true))
  }

  const URL_ATTRIBUTES =
    /^(href|src|srcset|cite|poster|action|formaction|data|background|ping|longdesc|usemap|manifest|codebase|classid|profile|lowsrc|dynsrc|itemid|itemtype|xlink:href)$/
  const isAbsolute = (address) =>
    /^https?:\/\/[^/]/.test(address) || (/^(?!https?:)/.test(address) && HARMLESS.test(address))

  /** Attributes of the document whose URL is not absolute. */
  const relativeUrls = () =>
    elementsOf(document.body).flatMap((element) =>
      [...element.attributes]
        .filter(({ name }) => URL_ATTRIBUTES.test(name))
        .filter(({ name, value }) =>
          name === 'srcset' ? !value.split(/,\s+/).every((one) => isAbsolute(one)) : !isAbsolute(value),
        )
        .map(({ name, value }) => `<${element.localName} ${name}="${value}">`),
    )

  /** Waits long enough for failing images, animations and timers of zero. */
  const settled = () => new Promise((resolve) => setTimeout(resolve, 30))

  window.reader = { provoke, insertAgain, relativeUrls, settled }
})()
