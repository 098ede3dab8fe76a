import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PIPELINE_LIMITS } from '../limits.ts'

/** Requests of a connection that wait behind another's answer. */
interface Pipeline {
  waiting: number
  /** It was cut: what waited stays in memory until it is closed, after this turn of the event loop. */
  isCut: boolean
  onClose(): void
}

/** Only of connections on which any request waits. */
const pipelines = new Map<Socket, Pipeline>()
const waiting = { onOpen: 0, onCut: 0 }
let cut = 0

export const isPipelining = (socket: Socket): boolean => pipelines.has(socket)

/** Connections that were cut since the start because too many requests waited on them. */
export const pipelineDisconnects = (): number => cut

/**
 * How many requests of a connection wait for their turn, this one included; 0 for one whose turn it is.
 * node:http starts every request of a packet at once, so that 64 KB can ask for a thousand answers, and holds
 * them in memory until those before are read. A connection on which more wait than `PIPELINED.connection` is
 * cut, and where more wait on all than `PIPELINED.all`, the one with most; this one, where connections that were
 * cut just now hold as many again. (D78)
 */
export const pipelineDepth = (socket: Socket, response: ServerResponse): number => {
  if (response.socket !== null) return 0
  const pipeline = pipelines.get(socket) ?? begin(socket)
  pipeline.waiting += 1
  waiting.onOpen += 1
  response.once('close', () => leave(socket))
  const place = pipeline.waiting
  if (place > PIPELINE_LIMITS.connection) cutOff(socket)
  else if (waiting.onOpen > PIPELINE_LIMITS.process) cutOff(deepest())
  else if (waiting.onCut > PIPELINE_LIMITS.process) cutOff(socket)
  return place
}

const begin = (socket: Socket): Pipeline => {
  const pipeline: Pipeline = {
    waiting: 0,
    isCut: false,
    onClose: () => leave(socket, pipeline.waiting),
  }
  pipelines.set(socket, pipeline)
  socket.once('close', pipeline.onClose)
  return pipeline
}

const leave = (socket: Socket, requests = 1): void => {
  const pipeline = pipelines.get(socket)
  if (pipeline === undefined) return
  waiting[pipeline.isCut ? 'onCut' : 'onOpen'] -= requests
  pipeline.waiting -= requests
  if (pipeline.waiting > 0) return
  pipelines.delete(socket)
  socket.off('close', pipeline.onClose)
}

/** The parser of node:http, which has no public name. */
type ParsedSocket = Socket & { parser?: { onIncoming?: () => number } | null }

/** What tells Node's parser that HTTP ends here, as before an upgrade: it leaves the rest of the packet alone. */
const READ_NO_MORE = (): number => 2

const cutOff = (socket: ParsedSocket): void => {
  const pipeline = pipelines.get(socket)!
  cut += 1
  pipeline.isCut = true
  waiting.onOpen -= pipeline.waiting
  waiting.onCut += pipeline.waiting
  if (socket.parser) socket.parser.onIncoming = READ_NO_MORE
  socket.destroy()
}

const deepest = (): Socket => {
  let most = 0
  let found: Socket | undefined
  for (const [socket, pipeline] of pipelines) {
    if (pipeline.isCut || pipeline.waiting <= most) continue
    most = pipeline.waiting
    found = socket
  }
  return found!
}
