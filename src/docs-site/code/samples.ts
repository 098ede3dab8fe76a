import { pathToFileURL } from 'node:url'
import { memoize } from '../../memoize.ts'
import { packagePath } from '../../paths.ts'

/** A request as code in each language. */
export type Samples = Record<SampleLanguage, string>

interface SamplesModule {
  urlOf(base: string, target: string): string
  samplesOf(url: string, isJson: boolean): Samples
}

/** The languages of the samples, with their names for readers. */
export const SAMPLE_LANGUAGES = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  go: 'Go',
} as const

export type SampleLanguage = keyof typeof SAMPLE_LANGUAGES

interface JsonModule {
  formatJson(value: unknown): string
}

const load = (name: string) => import(pathToFileURL(packagePath('site', 'assets', 'code', name)).href)

/** Modules that browsers load as well, so that both write the same. */
export const loadSamples = memoize(
  async (): Promise<SamplesModule & JsonModule> => ({
    ...(await load('samples.js')),
    ...(await load('json.js')),
  }),
)
