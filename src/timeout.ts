/**
 * What a promise gives, unless it takes too long. A timer that fires late, as after a stall of this process,
 * first lets what has arrived meanwhile be read.
 * @param ms milliseconds
 * @throws what `late` makes
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
