/* Swagger UI over this service's own description. It calls the address that this page came from, whatever name
   the service has elsewhere: so it works behind every proxy, and under a policy that allows no other origin. */
const container = document.querySelector('#main')
const api = new URL('api/v1', document.querySelector('.brand').href)

const followColours = () => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', follow)
  follow()
}

/** What Swagger UI leaves without a name, or out of the keyboard's reach. */
const nameControls = () => {
  for (const select of container.querySelectorAll('select:not([aria-label])')) {
    const row = select.closest('tr[data-param-name]')
    select.setAttribute('aria-label', row ? `Value of ${row.dataset.paramName}` : 'Example')
  }
  for (const block of container.querySelectorAll('pre:not([tabindex])')) block.tabIndex = 0
}

/** Swagger UI announces answers to nobody. */
const announceAnswers = () => {
  const status = document.createElement('p')
  status.className = 'unseen'
  status.setAttribute('role', 'status')
  container.after(status)
  return (answer) => {
    if (!answer.url.endsWith('/openapi.json')) status.textContent = `Answered with status ${answer.status}.`
    return answer
  }
}

const nothing = () => null

/**
 * The page has a heading of its own, and one server. A link within the button that opens an operation could not
 * be told from the button; the address bar shows where one is all the same.
 */
const ownFrame = ({ React }) => ({
  wrapComponents: {
    InfoContainer: () => nothing,
    ServersContainer: () => nothing,
    DeepLink:
      () =>
      ({ text }) =>
        React.createElement('span', null, text),
  },
})

/** Seven tables of the same headers under each address would hide what differs; the guide tells of them. */
const forPeople = (spec) => {
  const shown = structuredClone(spec)
  const unchanged = Object.values(shown.paths).map(({ get }) => get.responses['304'])
  for (const response of [...Object.values(shown.components.responses), ...unchanged]) delete response.headers
  return { ...shown, servers: [{ url: api.href }] }
}

const show = (spec) => {
  const observer = new MutationObserver(nameControls)
  observer.observe(container, { childList: true, subtree: true })
  globalThis.SwaggerUIBundle({
    spec: forPeople(spec),
    domNode: container,
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    docExpansion: 'list',
    displayRequestDuration: true,
    supportedSubmitMethods: ['get'],
    tryItOutEnabled: true,
    validatorUrl: null,
    responseInterceptor: announceAnswers(),
    plugins: [ownFrame],
  })
}

const load = async () => {
  const answer = await fetch(`${api.href}/openapi.json`)
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.error.message)
  return body
}

followColours()
// Beside Swagger UI, Chromium goes there without moving the focus.
document.querySelector('.skip').addEventListener('click', () => container.focus())
load().then(show, (error) => {
  const message = document.createElement('p')
  message.textContent = `The reference could not be loaded: ${error.message}`
  container.replaceChildren(message)
})
