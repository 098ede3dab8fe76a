import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import etag from 'etag'
import express, { type Request, type Response } from 'express'
import fresh from 'fresh'
import { readConfig } from '../../src/config.ts'
import { addEndpoints, commonHeaders } from './endpoints.ts'
import { openReads } from './reads.ts'

/**
 * The hand-written server without its known costs. Express changes the prototype of each request and response, which
 * makes V8 discard what it knows about their shape; here they are created with the right prototype. The body is
 * serialized once, and one call writes the status and all headers.
 */
const config = readConfig()
const app = express()
app.disable('x-powered-by')

class ExpressRequest extends IncomingMessage {}
class ExpressResponse extends ServerResponse {}
Object.setPrototypeOf(ExpressRequest.prototype, app.request)
Object.setPrototypeOf(ExpressResponse.prototype, app.response)
app.request = ExpressRequest.prototype as Request
app.response = ExpressResponse.prototype as Response

const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  ...commonHeaders(config.licenseUrl!, config.cacheSeconds),
}

addEndpoints(app, await openReads(), (request, response, body, locale) => {
  const text = JSON.stringify(body)
  const ETag = etag(text, { weak: true })
  const language = locale === undefined ? {} : { 'Content-Language': locale }
  if (fresh(request.headers, { etag: ETag })) {
    response.writeHead(304, { ...headers, ...language, ETag }).end()
    return
  }
  const length = Buffer.byteLength(text)
  response.writeHead(200, { ...headers, ...language, ETag, 'Content-Length': length }).end(text)
})

createServer({ IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse }, app).listen(
  config.port,
  config.host!,
)
