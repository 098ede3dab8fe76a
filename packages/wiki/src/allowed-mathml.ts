type AllowedValue = (value: string) => string | null

export const matching =
  (pattern: RegExp): AllowedValue =>
  (value) =>
    pattern.test(value) ? value : null

const each = (names: string, pattern: RegExp): Record<string, AllowedValue> =>
  Object.fromEntries(names.split(' ').map((name) => [name, matching(pattern)]))

const LENGTH = /^[+-]?(?:\d{1,4}(?:\.\d{1,8})?|\.\d{1,8})(?:em|ex|px|pt|pc|cm|mm|in|%|mu)?$/

const ATTRIBUTES: Readonly<Record<string, AllowedValue>> = {
  ...each('mathcolor mathbackground', /^#[0-9a-f]{3,8}$/i),
  ...each('mathvariant columnalign align notation', /^(?:[a-z]{1,20} ?){1,20}$/),
  ...each('displaystyle accent accentunder', /^(?:true|false)$/),
  ...each('fence separator stretchy symmetric largeop movablelimits', /^(?:true|false)$/),
  ...each('mathsize lspace rspace minsize maxsize width height depth voffset linethickness', LENGTH),
  ...each('columnspacing rowspacing', /^(?:[\d.]{1,10}(?:em|ex|px|pt|%)? ?){1,20}$/),
  ...each('columnspan rowspan', /^[1-9]\d?$/),
  scriptlevel: matching(/^[+-]?\d$/),
  form: matching(/^(?:prefix|infix|postfix)$/),
  display: matching(/^(?:block|inline)$/),
  xmlns: matching(/^http:\/\/www\.w3\.org\/1998\/Math\/MathML$/),
  encoding: matching(/^application\/x-tex$/),
  // Alignment by the style sheet of Temml, which a site may have. No other class begins so.
  class: matching(/^(?:tml-[a-z-]{1,20} ?){1,5}$/),
}

const ELEMENTS =
  'math semantics annotation mrow mstyle merror mphantom mi mn mo ms mtext mspace mpadded mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mprescripts menclose mtable mtr mtd'

/**
 * Elements of MathML and the values that their attributes may have: those of presentation in MathML Core, without links,
 * scripts (`href`, `on…`, `maction`) and styles. None of them contains HTML: `annotation-xml` is missing. (D124)
 */
export const ALLOWED_MATHML: Readonly<Record<string, Readonly<Record<string, AllowedValue>>>> =
  Object.fromEntries(ELEMENTS.split(' ').map((name) => [name, ATTRIBUTES]))
