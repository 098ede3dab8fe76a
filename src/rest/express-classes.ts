import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Classes of requests and responses for `http.createServer` whose prototypes are the app's own. Express sets
 * these prototypes on every request, which makes each object slow for V8 from then on; set to what it is
 * already, a prototype costs nothing (measured: 0.3 to 0.8 of a bare server's throughput). (D22)
 */
export const expressClasses = () => {
  const request = classWithPrototypeOf(IncomingMessage)
  const response = classWithPrototypeOf(ServerResponse)
  return {
    options: { IncomingMessage: request, ServerResponse: response } as Pick<
      ServerOptions,
      'IncomingMessage' | 'ServerResponse'
    >,
    /** Before the first request. */
    adopt: (app: Express): void => {
      request.prototype = app.request
      response.prototype = app.response
    },
  }
}

/** A class whose instances are made as the base's are; its prototype can be another's. */
// biome-ignore lint/suspicious/noExplicitAny: node:http's constructors are functions, which their types hide
const classWithPrototypeOf = (base: any): any => {
  function Made(this: unknown, ...given: unknown[]) {
    base.apply(this, given)
  }
  Made.prototype = base.prototype
  return Object.setPrototypeOf(Made, base)
}
