import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { packagePath } from '../src/paths.ts'

const FOLDER = packagePath('docs', 'screenshots')

describe('screenshots in docs/screenshots', () => {
  const files = readdirSync(FOLDER).sort()

  it('show six pages in each look: run `npm run screenshots` if one is missing', () => {
    const expected = ['landing', 'guide', 'reference', 'reader', 'reader-search', 'not-found'].flatMap(
      (name) =>
        ['desktop', 'phone'].flatMap((screen) =>
          ['light', 'dark'].map((colors) => `${name}-${screen}-${colors}.webp`),
        ),
    )
    expect(files).to.deep.equal(expected.sort())
  })

  it('are all shown in docs/screenshots.md, and the README shows landing page, reference and reader', () => {
    const shownIn = (...path: string[]) =>
      [...readFileSync(packagePath(...path), 'utf8').matchAll(/screenshots\/([\w-]+\.webp)\)/g)].map(
        ([, name]) => name!,
      )
    expect(shownIn('docs', 'screenshots.md').sort()).to.deep.equal(files)
    expect(shownIn('README.md').map((name) => name.split('-')[0])).to.deep.equal([
      'landing',
      'reference',
      'reader',
    ])
  })
})
