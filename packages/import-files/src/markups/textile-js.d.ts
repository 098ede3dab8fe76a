declare module 'textile-js' {
  /** Converts Textile to HTML. */
  const textile: (text: string) => string
  export default textile
}
