import express from 'express'
import { readConfig } from '../../src/config.ts'
import { addEndpoints, commonHeaders } from './endpoints.ts'
import { openReads } from './reads.ts'

/** The API as most developers would write it: express, a pool, one joined statement per endpoint, `res.json`. */
const config = readConfig()
const headers = commonHeaders(config.licenseUrl!, config.cacheSeconds)
const app = express()
app.disable('x-powered-by')
addEndpoints(app, await openReads(), (_, response, body, locale) => {
  response.set(headers)
  if (locale !== undefined) response.set('Content-Language', locale)
  response.json(body)
})
app.listen(config.port, config.host!)
