import { expect } from 'chai'
import ts from 'typescript'
import { document, operationOf } from '../support/openapi-check.ts'
import { type CodeFile, sourceFiles, visitAll } from '../support/source-files.ts'

/** The text of a string or template literal, with `x` for each expression. */
const pathText = (node: ts.Node | undefined): string => {
  if (node === undefined) return ''
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return ''
  return node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('')
}

/** Paths that a file passes to `get` or `walk` of a client, which check each response against openapi.json. */
const pathsCalled = ({ tree }: CodeFile): string[] => {
  const paths: string[] = []
  visitAll(tree, (node) => {
    if (!ts.isCallExpression(node) || !/(^|\.)(get|walk)$/.test(node.expression.getText())) return
    const path = pathText(node.arguments[0])
    if (path.startsWith('/')) paths.push(path)
  })
  return paths
}

describe('contract tests', () => {
  it('call every operation of openapi.json', () => {
    const files = sourceFiles('test/contract')
    const tested = new Set(files.flatMap(pathsCalled).map(operationOf))
    expect([...tested]).to.include.members(Object.keys(document.paths!))
  })
})
