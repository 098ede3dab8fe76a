type AllowedValue = (value: string) => string | null

export const matching =
  (pattern: RegExp): AllowedValue =>
  (value) =>
    pattern.test(value) ? value : null

const flag = matching(/^(?:true|false)$/)
const length = matching(/^[+-]?(?:\d{1,4}(?:\.\d{1,8})?|\.\d{1,8})(?:em|ex|px|pt|pc|cm|mm|in|%|mu)?$/)
const lengths = matching(/^(?:[\d.]{1,10}(?:em|ex|px|pt|%)? ?){1,20}$/)
const words = matching(/^(?:[a-z]{1,20} ?){1,20}$/)
const color = matching(/^#[0-9a-f]{3,8}$/i)

const COMMON: Readonly<Record<string, AllowedValue>> = {
  mathcolor: color,
  mathbackground: color,
  mathsize: length,
  mathvariant: words,
  displaystyle: flag,
  scriptlevel: matching(/^[+-]?\d$/),
  // Alignment by the style sheet of Temml, which a site may have. No other class begins so.
  class: matching(/^(?:tml-[a-z-]{1,20} ?){1,5}$/),
}

const each = (names: string, allowed: AllowedValue): Record<string, AllowedValue> =>
  Object.fromEntries(names.split(' ').map((name) => [name, allowed]))

const OPERATOR: Readonly<Record<string, AllowedValue>> = {
  form: matching(/^(?:prefix|infix|postfix)$/),
  ...each('fence separator stretchy symmetric largeop movablelimits', flag),
  ...each('lspace rspace minsize maxsize', length),
}
const SCRIPTS = { accent: flag, accentunder: flag }
const SPACE = { width: length, height: length, depth: length }
const CELL = { columnspan: matching(/^[1-9]\d?$/), rowspan: matching(/^[1-9]\d?$/), columnalign: words }

const NAMES: Readonly<Record<string, Readonly<Record<string, AllowedValue>>>> = {
  math: {
    display: matching(/^(?:block|inline)$/),
    xmlns: matching(/^http:\/\/www\.w3\.org\/1998\/Math\/MathML$/),
  },
  annotation: { encoding: matching(/^application\/x-tex$/) },
  mo: OPERATOR,
  mspace: SPACE,
  mpadded: { ...SPACE, lspace: length, voffset: length },
  mfrac: { linethickness: length },
  munder: SCRIPTS,
  mover: SCRIPTS,
  munderover: SCRIPTS,
  menclose: { notation: words },
  mtable: { columnalign: words, columnspacing: lengths, rowspacing: lengths, align: words },
  mtd: CELL,
}

/** Elements with no attributes but those of every element. */
const OTHER_NAMES =
  'semantics mrow mstyle merror mphantom mi mn ms mtext msqrt mroot msub msup msubsup mmultiscripts mprescripts mtr'

/**
 * Elements of MathML and the values that their attributes may have: those of presentation in MathML Core, without links,
 * scripts (`href`, `on…`, `maction`) and styles. None of them contains HTML: `annotation-xml` is missing. (D124)
 */
export const ALLOWED_MATHML: Readonly<Record<string, Readonly<Record<string, AllowedValue>>>> =
  Object.fromEntries([
    ...Object.entries(NAMES).map(([name, attributes]) => [name, { ...COMMON, ...attributes }]),
    ...OTHER_NAMES.split(' ').map((name) => [name, COMMON]),
  ])
