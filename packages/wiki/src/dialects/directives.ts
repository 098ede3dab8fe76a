import { isAlertType } from '../markup.ts'

/** Directives of Sphinx, MyST and usual extensions, whose content is text, or that are converted in their own way. */
const DIRECTIVES = new Set(
  `acks admonition algorithm aside assumption attribute audit-event availability axiom blockquote button-link
  button-ref card card-carousel centered change changelog class collapse command compound confval container contents
  corollary csv-table currentmodule data definition describe details div dropdown envvar epigraph eval-rst exception
  exercise figure figure-md flat-table function glossary grid grid-item grid-item-card group-tab highlight highlights
  hlist ifconfig image impl-detail include index lemma line-block list-table literalinclude macro margin math mermaid
  meta method module object only option panels parameter parsed-literal procedure proof property proposition
  pull-quote raw remark rst-class rubric setting sidebar signal solution steps subfigure tab tab-container tab-item
  tab-set table tabs theorem toctree toggle topic type variable`.split(/\s+/),
)
export const VERSION_CHANGE = /^(?:version-?)?(added|changed|removed|deprecated)(?:-removed)?$/

/** Others are of a site's own extensions, so nobody else can tell whether their content is text. */
export const isKnownDirective = (name: string): boolean =>
  DIRECTIVES.has(name) || VERSION_CHANGE.test(name) || isAlertType(name)

/** What a page has in place of what its site makes. */
export const GENERATED_PART = '*The site generates this part from source code, which is not in this wiki.*'

/** What a page tells once if it lacks what components of its site show. */
export const LOST_PART = '*Some parts of this page are shown only on the original site.*'
