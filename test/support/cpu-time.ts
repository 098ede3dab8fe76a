/** Processor time that this process uses while it works, milliseconds: a busy machine does not lengthen it as the clock's. */
export const cpuTimeOf = (work: () => unknown): number => {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}

/** The same for work that also other turns of the event loop, or threads of this process, do. */
export const cpuTimeOfAll = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  return process.cpuUsage(before).user / 1000
}
