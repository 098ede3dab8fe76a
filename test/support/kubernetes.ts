import ts from 'typescript'
import { packagePath } from '../../src/paths.ts'

interface Resource {
  apiVersion: string
  kind: string
}

/** Next to nothing, so that TypeScript finds the package of the types from here. */
const FILE = packagePath('manifests.ts')

const OPTIONS: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es5.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
}

/**
 * What is wrong with manifests: unknown and missing names, and values of another type, as `kubectl apply
 * --validate=strict` finds them. The types come from the OpenAPI document of Kubernetes.
 */
export const manifestProblems = (resources: readonly Resource[]): string[] => {
  const text = resources
    .map((resource, i) => {
      const [group, version] = ['core', ...resource.apiVersion.split('/')].slice(-2)
      const type = `import('kubernetes-types/${group!.split('.')[0]}/${version}').${resource.kind}`
      return `export const resource${i}: ${type} = ${JSON.stringify(resource)}`
    })
    .join('\n')
  const host = ts.createCompilerHost(OPTIONS)
  const { getSourceFile } = host
  host.getSourceFile = (name, options, ...rest) =>
    name === FILE ? ts.createSourceFile(name, text, options) : getSourceFile(name, options, ...rest)
  const program = ts.createProgram([FILE], OPTIONS, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
