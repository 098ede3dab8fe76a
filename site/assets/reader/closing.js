/**
 * Closes a list that covers what is around it when somebody leaves it: with Escape, a click beside it or on one of its links,
 * or the focus elsewhere.
 * @param {HTMLDetailsElement} details @param {{ signal?: AbortSignal, covers?: () => boolean }} [options]
 */
export const closeWhenLeft = (details, { signal, covers = () => true } = {}) => {
  const close = () => {
    if (covers()) details.open = false
  }
  details.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !details.open || !covers()) return
    event.preventDefault()
    close()
    details.querySelector('summary').focus({ preventScroll: true })
  })
  details.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget && !details.contains(relatedTarget)) close()
  })
  const onClick = ({ target }) => {
    if (!details.contains(target) || target.closest?.('a')) close()
  }
  document.addEventListener('click', onClick, { signal })
}
