/** A line that stands for the contents of the page, in the spellings of Wiki.js, Gollum, GitLab, Azure and Typora. */
export const TABLE_OF_CONTENTS = /^(?:\[\[_?toc_?\]\]|\[toc\]|\$\{toc\}|\$<toc>)$/i

/** The first line of an alert, after the marks of its quotation: type, mark of folding, title. */
export const ALERT = /^\[!([a-z][a-z-]{1,30})\][+-]?(?:[ \t]+|$|(?=\n))/i

/** Classes for the block before, as Wiki.js writes them: `{.is-info}`. */
export const CLASSES = /^\{(?:\.[a-z][\w-]{0,60}[ \t]*){1,10}\}$/i

/** The mark before the text of a footnote. */
export const FOOTNOTE = /^\[\^([^\s[\]]{1,100})\]:[ \t]*/

/** The mark before the definition of a term. */
export const DEFINITION_MARK = /^:[ \t]+(?=\S)/
