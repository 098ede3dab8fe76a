declare module 'textile-js' {
  const textile: (text: string) => string
  export default textile
}
