/* A classic script in the head: it runs before anything is drawn, so that examples appear in the language that the
   visitor chose before, and nothing moves afterwards. */
{
  const root = document.documentElement
  let stored = null
  try {
    stored = localStorage.getItem('lectern-language')
  } catch {} // private windows, in which the browser may store nothing
  root.dataset.scripts = 'on'
  root.dataset.language = ['curl', 'javascript', 'python', 'go'].includes(stored) ? stored : 'curl'
}
