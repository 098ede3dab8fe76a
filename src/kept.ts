/** One value that is read now and then, and kept in between. */
export interface KeptValue<Value> {
  /** The kept value, else a new one; those who ask while it is read wait for it. A failure is not kept. */
  get(): Promise<Value>
  forget(): void
}

/** @param ms how long a value is believed, milliseconds */
export const keptFor = <Value>(
  ms: number,
  read: () => Promise<Value>,
  now = () => performance.now(),
): KeptValue<Value> => {
  let kept: { at: number; value: Promise<Value> } | undefined
  return {
    get: () => {
      if (kept === undefined || now() - kept.at > ms) {
        const reading = { at: now(), value: read() }
        kept = reading
        reading.value.catch(() => {
          if (kept === reading) kept = undefined
        })
      }
      return kept.value
    },
    forget: () => {
      kept = undefined
    },
  }
}
