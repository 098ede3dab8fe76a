/**
 * Loaded before anything else into a process (`--import`), and into its workers: its time of day is off by as many
 * milliseconds as the file says that LECTERN_TEST_CLOCK names, from the moment when that is written. The clock that
 * never jumps goes on, as it does in the kernel.
 */
import { readFileSync } from 'node:fs'

const file = process.env.LECTERN_TEST_CLOCK!
const RealDate = Date
const now = () => RealDate.now() + Number(readFileSync(file, 'utf8'))

globalThis.Date = new Proxy(RealDate, {
  construct: (target, values: unknown[], made) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, made),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
})
