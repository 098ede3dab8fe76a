import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { packagePath, packageVersion } from '../src/paths.ts'
import { releasedChangelog } from '../tools/changelog.ts'

describe('the changelog', () => {
  it('gets a version and a date when Lectern is released, and a new part for what comes next', () => {
    const text = '# Changelog\n\n## Unreleased\n\n### Added\n\n- Tea.\n\n## 0.1.0 - 2026-01-02\n\n- First.\n'
    expect(releasedChangelog(text, '0.2.0', '2026-11-23')).to.equal(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-11-23\n\n### Added\n\n- Tea.\n\n## 0.1.0 - 2026-01-02\n\n- First.\n',
    )
    expect(() => releasedChangelog('# Changelog\n', '0.2.0', '2026-11-23')).to.throw('no part')
    expect(() => releasedChangelog('## Unreleased\n\n## 0.1.0\n\n- x\n', '0.2.0', '2026-11-23')).to.throw(
      'empty',
    )
  })

  it('has a part for what comes next, and then the version is a pre-release', () => {
    const [unreleased = '', last = ''] = readFileSync(packagePath('CHANGELOG.md'), 'utf8')
      .split(/^## /m)
      .slice(1)
    const released = last.split(' ', 1)[0]
    if (unreleased.trim() !== 'Unreleased')
      expect(packageVersion())
        .to.match(/^\d+\.\d+\.0-dev$/)
        .and.not.equal(`${released}-dev`)
  })

  it('has only parts of Keep a Changelog, each at most once in a version', () => {
    const versions = readFileSync(packagePath('CHANGELOG.md'), 'utf8').split(/^## /m).slice(1)
    for (const version of versions) {
      expect(version.split('\n')[0]).to.match(/^(Unreleased|\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d)$/)
      const parts = [...version.matchAll(/^### (.*)$/gm)].map(([, name]) => name!)
      expect(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).to.include.members(parts)
      expect(new Set(parts).size).to.equal(parts.length)
    }
  })
})
