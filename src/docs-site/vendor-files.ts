/**
 * Files of other packages that browsers load: the name under which pages load them, the package, and the path in it.
 * The build copies them to `dist/vendor`. The notice of a license is next to its code. (D125)
 */
export const VENDOR_FILES: Readonly<Record<string, readonly [packageName: string, path: string]>> = {
  'swagger-ui.css': ['swagger-ui-dist', 'swagger-ui.css'],
  'swagger-ui-bundle.js': ['swagger-ui-dist', 'swagger-ui-bundle.js'],
  'swagger-ui-bundle.js.LICENSE.txt': ['swagger-ui-dist', 'swagger-ui-bundle.js.LICENSE.txt'],
}
