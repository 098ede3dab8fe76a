/* Swagger UI with the OpenAPI document of this service. It sends requests to the host that served this page, not to the
   configured base URL. So it works behind every proxy, and with a policy that allows no other origin. */
const container = document.querySelector('#main')
const api = new URL('api/v1', document.querySelector('.brand').href)

const followColorScheme = () => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', follow)
  follow()
}

/** Names the controls that Swagger UI leaves without a name, and makes its blocks reachable by keyboard. */
const nameControls = () => {
  for (const select of container.querySelectorAll('select:not([aria-label])')) {
    const row = select.closest('tr[data-param-name]')
    select.setAttribute('aria-label', row ? `Value of ${row.dataset.paramName}` : 'Example')
  }
  for (const block of container.querySelectorAll('pre:not([tabindex])')) block.tabIndex = 0
}

/** Announces responses to screen readers, which Swagger UI does not do. */
const announceResponses = () => {
  const status = document.createElement('p')
  status.className = 'unseen'
  status.setAttribute('role', 'status')
  container.after(status)
  return (response) => {
    if (!response.url.endsWith('/openapi.json'))
      status.textContent = `Response with status ${response.status}.`
    return response
  }
}

const nothing = () => null

/**
 * Removes parts of Swagger UI: its heading and its list of servers, which this page replaces, and the link inside the
 * button of each operation. Users could not tell that link from the button. The address bar shows the operation anyway.
 */
const pagePlugin = ({ React }) => ({
  wrapComponents: {
    InfoContainer: () => nothing,
    ServersContainer: () => nothing,
    DeepLink:
      () =>
      ({ text }) =>
        React.createElement('span', null, text),
  },
})

/** Removes the headers of errors and of 304: seven equal tables per endpoint hide the differences. The guide has them. */
const withoutRepeatedHeaders = (spec) => {
  const copy = structuredClone(spec)
  const notModified = Object.values(copy.paths).map(({ get }) => get.responses['304'])
  for (const response of [...Object.values(copy.components.responses), ...notModified])
    delete response.headers
  return { ...copy, servers: [{ url: api.href }] }
}

const show = (spec) => {
  const observer = new MutationObserver(nameControls)
  observer.observe(container, { childList: true, subtree: true })
  globalThis.SwaggerUIBundle({
    spec: withoutRepeatedHeaders(spec),
    domNode: container,
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    docExpansion: 'list',
    displayRequestDuration: true,
    supportedSubmitMethods: ['get'],
    tryItOutEnabled: true,
    validatorUrl: null,
    responseInterceptor: announceResponses(),
    plugins: [pagePlugin],
  })
}

const load = async () => {
  const response = await fetch(`${api.href}/openapi.json`)
  const body = await response.json()
  if (!response.ok) throw new Error(body.error.message)
  return body
}

followColorScheme()
// On this page, Chromium scrolls to the target of the link without moving the focus.
document.querySelector('.skip').addEventListener('click', () => container.focus())
load().then(show, (error) => {
  const message = document.createElement('p')
  message.textContent = `The reference could not be loaded: ${error.message}`
  container.replaceChildren(message)
})
