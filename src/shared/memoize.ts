/** Ways to share one result among callers. None of them caches a failure. */

/** @param ms how long a value is valid, counted from the start of its read, milliseconds */
export const memoizeFor = <Value>(ms: number, read: () => Promise<Value>) => {
  let current: { readAt: number; value: Promise<Value> } | undefined
  return {
    /** The cached value, or else a new one. Callers that arrive during a read wait for that read. */
    get: (): Promise<Value> => {
      if (current === undefined || performance.now() - current.readAt > ms) {
        const reading = { readAt: performance.now(), value: read() }
        current = reading
        reading.value.catch(() => {
          if (current === reading) current = undefined
        })
      }
      return current.value
    },
    /** The next `get` reads again. */
    invalidate: (): void => {
      current = undefined
    },
  }
}

/** Reads a value when it is first needed, and then never again. */
export const memoize = <Value>(read: () => Promise<Value>): (() => Promise<Value>) =>
  memoizeFor(Number.POSITIVE_INFINITY, read).get

/** The same for a value that takes no waiting. */
export const once = <Value extends {}>(make: () => Value): (() => Value) => {
  let value: Value | undefined
  return () => {
    value ??= make()
    return value
  }
}

/** A function that remembers its last result, for arguments of which most are equal to the one before. */
export const memoizeLast = <Key extends string | number, Value>(compute: (key: Key) => Value) => {
  let last: { key: Key; value: Value } | undefined
  return (key: Key): Value => {
    if (last?.key !== key) last = { key, value: compute(key) }
    return last.value
  }
}

/** The value of a key of a map. One that is absent is made and added. */
export const getOrAdd = <Key, Value extends {}>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: (key: Key) => Value,
): Value => {
  const value = map.get(key) ?? make(key)
  map.set(key, value)
  return value
}

/** Shares the work for a key among concurrent callers. It stores no result. */
export const makeSingleFlight = <Value>() => {
  const running = new Map<string, Promise<Value>>()
  return {
    pending: (key: string): Promise<Value> | undefined => running.get(key),
    /** Starts `work`, or joins what is running for the key. */
    run: (key: string, work: () => Promise<Value>): Promise<Value> => {
      const pending = running.get(key)
      if (pending) return pending
      const started = work().finally(() => {
        if (running.get(key) === started) running.delete(key)
      })
      running.set(key, started)
      return started
    },
    /** Later callers start again, also for the keys whose work is still running. */
    clear: (): void => running.clear(),
  }
}
