/**
 * The result of a promise, or an error if the promise takes too long. If the timer fires late, for example because
 * the process stalled, data that arrived in the meantime is processed first.
 * @param ms timeout, milliseconds
 * @throws the error of `timedOut`
 */
export const withTimeout = <Value>(
  promise: Promise<Value>,
  ms: number,
  timedOut: () => Error,
): Promise<Value> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => reject(timedOut())), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
