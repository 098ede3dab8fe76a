import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PIPELINE_LIMITS } from '../limits/service.ts'

/** The requests of a connection that wait behind the response to an earlier one. */
interface Pipeline {
  waiting: number
  /** The connection is closed. Its requests stay in memory until the event `close`, in a later turn of the event loop. */
  isClosed: boolean
  onClose(): void
}

/** Connections with waiting requests. */
const pipelines = new Map<Socket, Pipeline>()
/** Waiting requests of all open connections, and of those that were closed here and are still in memory. */
const waiting = { onOpen: 0, onClosed: 0 }
const sockets = new Set<Socket>()
let disconnects = 0
let isPaused = false

export const isPipelining = (socket: Socket): boolean => pipelines.has(socket)

/** Connections that were closed since the start because too many requests waited on them. */
export const pipelineDisconnects = (): number => disconnects

/** Lets `pipelineDepth` pause the connections of this server. */
export const limitPipelines = (server: Server): void => {
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
}

/**
 * Counts a request among those of its connection that wait. node:http starts every request of a packet at once. So 64 KB can request a thousand responses, which node:http
 * holds in memory until the client has read the earlier ones. A connection with more than `PIPELINE_LIMITS.connection`
 * waiting requests is closed. If more than `PIPELINE_LIMITS.process` wait on all connections, the one with most is
 * closed; if closed connections hold that many, the process reads nothing until they are freed.
 * @returns how many requests of the connection wait, this one included; 0 if this one does not wait
 */
export const pipelineDepth = (socket: Socket, response: ServerResponse): number => {
  if (response.socket !== null) return 0
  const pipeline = pipelines.get(socket) ?? addPipeline(socket)
  pipeline.waiting += 1
  if (pipeline.isClosed) {
    waiting.onClosed += 1
    if (waiting.onClosed > PIPELINE_LIMITS.process && !isPaused) pauseReading()
    return pipeline.waiting
  }
  waiting.onOpen += 1
  response.once('close', () => removeRequests(socket))
  if (pipeline.waiting > PIPELINE_LIMITS.connection) disconnect(socket)
  else if (waiting.onOpen > PIPELINE_LIMITS.process) disconnect(deepestPipeline())
  return pipeline.waiting
}

const addPipeline = (socket: Socket): Pipeline => {
  const pipeline: Pipeline = {
    waiting: 0,
    isClosed: socket.destroyed,
    onClose: () => removeRequests(socket, pipeline.waiting),
  }
  pipelines.set(socket, pipeline)
  socket.once('close', pipeline.onClose)
  return pipeline
}

const removeRequests = (socket: Socket, count = 1): void => {
  const pipeline = pipelines.get(socket)
  if (pipeline === undefined) return
  waiting[pipeline.isClosed ? 'onClosed' : 'onOpen'] -= count
  pipeline.waiting -= count
  if (pipeline.waiting > 0) return
  pipelines.delete(socket)
  socket.off('close', pipeline.onClose)
}

const disconnect = (socket: Socket): void => {
  const pipeline = pipelines.get(socket)!
  disconnects += 1
  pipeline.isClosed = true
  waiting.onOpen -= pipeline.waiting
  waiting.onClosed += pipeline.waiting
  socket.destroy()
}

/** Lets the other connections wait until the event `close` of those that were closed, at the end of this turn. */
const pauseReading = (): void => {
  isPaused = true
  const paused = [...sockets].filter((socket) => !socket.destroyed && !socket.isPaused())
  for (const socket of paused) socket.pause()
  setImmediate(() =>
    setImmediate(() => {
      isPaused = false
      for (const socket of paused) socket.resume()
    }),
  )
}

const deepestPipeline = (): Socket => {
  let most = 0
  let deepest: Socket | undefined
  for (const [socket, pipeline] of pipelines) {
    if (pipeline.isClosed || pipeline.waiting <= most) continue
    most = pipeline.waiting
    deepest = socket
  }
  return deepest!
}
