/** Characters that XML 1.0 forbids, also as references (2.2, Char). */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

/**
 * Text for an element or a quoted attribute of XML 1.0. U+FFFD replaces characters that XML forbids. References keep a
 * parser from changing line ends and tabs.
 */
export const escapeXml = (text: string): string =>
  text
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>"'\t\n\r\u0085\u2028]/g, (letter) => `&#${letter.charCodeAt(0)};`)
