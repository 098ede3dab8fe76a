/** An upper bound of the nesting of YAML: the library is recursive, and an expression that V8 compiles near the end of the stack ends the process. */
export const nestingOf = (inner: string): number => {
  let brackets = 0
  let deepest = 0
  for (const line of inner.split('\n')) {
    let marks = 0
    const indent = /^ */.exec(line)![0].length
    for (let i = indent; i < line.length; i += 1) {
      if ('[{'.includes(line[i]!)) brackets += 1
      else if ('-?:'.includes(line[i]!) && ' \t'.includes(line[i + 1] ?? ' ')) marks += 1
    }
    deepest = Math.max(deepest, indent + marks)
  }
  return deepest + brackets
}
