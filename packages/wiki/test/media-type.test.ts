import { deflateSync } from 'node:zlib'
import { describeFile, FILE_HEAD_BYTES } from '@lectern/wiki/files/media-type'
import { expect } from 'chai'

const u32 = (number: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const png = (width: number, height: number): Buffer =>
  Buffer.concat([
    latin1('\x89PNG\r\n\x1a\n'),
    u32(13),
    latin1('IHDR'),
    u32(width),
    u32(height),
    deflateSync('x'),
  ])
/** @param orientation of Exif, 1 to 8 */
const jpeg = (width: number, height: number, orientation = 1): Buffer =>
  Buffer.concat([
    latin1('\xff\xd8\xff\xe1\x00\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0'),
    Buffer.from([orientation]),
    latin1('\0\0\0\0\0\0\xff\xc0\x00\x11\x08'),
    u32(height * 65_536 + width),
    latin1('\x03\x01\x11\x00\x02\x11\x01\x03\x11\x01\xff\xd9'),
  ])
const gif = latin1('GIF89a\x40\x01\xf0\0\0\0\0;')
const webp = latin1('RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x3f\x01\0\xef\0\0')
const avif = Buffer.concat([
  u32(16),
  latin1('ftypavif\0\0\0\0'),
  u32(52),
  latin1('meta\0\0\0\0'),
  u32(40),
  latin1('iprp'),
  u32(32),
  latin1('ipco'),
  u32(20),
  latin1('ispe\0\0\0\0'),
  u32(320),
  u32(240),
  u32(4),
])
const PICTURE = { width: 320, height: 240 }
const NO_SIZE = { width: null, height: null }

describe('media types: the content decides', () => {
  const cases: [path: string, content: Buffer | string, mediaType: string, size?: object][] = [
    ['a.png', png(320, 240), 'image/png', PICTURE],
    ['a.txt', png(320, 240), 'image/png', PICTURE],
    ['a.jpg', jpeg(320, 240), 'image/jpeg', PICTURE],
    ['turned.jpg', jpeg(240, 320, 6), 'image/jpeg', PICTURE],
    ['a.gif', gif, 'image/gif', PICTURE],
    ['a.webp', webp, 'image/webp', PICTURE],
    ['a.avif', avif, 'image/avif', PICTURE],
    [
      'a.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="320px" height="240"/>',
      'image/svg+xml',
      PICTURE,
    ],
    [
      'a.svg',
      '<?xml version="1.0"?>\n<!-- <svg width="1"> -->\n<!DOCTYPE svg [<!ENTITY a "b">]>\n<svg viewBox="0 0 320 240">',
      'image/svg+xml',
      PICTURE,
    ],
    ['a.svg', '\ufeff<svg height="120" viewBox="0,0,640,480">', 'image/svg+xml', { width: 160, height: 120 }],
    ['a.svg', '<svg width="100%" height="100%">', 'image/svg+xml'],
    ['script.svg', '<svg><script>alert(1)</script></svg>', 'image/svg+xml'],
    ['a.mp4', '\0\0\0\x18ftypisom', 'video/mp4'],
    ['a.webm', latin1('\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm'), 'video/webm'],
    ['a.ogg', 'OggS\0', 'audio/ogg'],
    ['a.mp3', latin1('\xff\xfb\x90\x64'), 'audio/mpeg'],
    ['a.mp3', 'ID3\x04', 'audio/mpeg'],
    ['a.wav', 'RIFF\0\0\0\0WAVEfmt ', 'audio/wav'],
    ['a.pdf', '%PDF-1.7\n', 'application/pdf'],
    ['a.zip', 'PK\x03\x04\x14', 'application/zip'],
    ['a.docx', 'PK\x03\x04\x14', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a.csv', 'a,b\n1,2\n', 'text/csv'],
    ['a.json', '{}', 'application/json'],
    ['README', 'Grün', 'text/plain'],
  ]
  for (const [path, content, mediaType, size = NO_SIZE] of cases) {
    it(`${path} is ${mediaType}`, () => {
      expect(describeFile(Buffer.from(content as string), path)).to.deep.equal({ mediaType, ...size })
    })
  }

  const others: [what: string, path: string, content: Buffer | string, mediaType: string][] = [
    ['HTML named .png', 'a.png', '<html><script>alert(1)</script>', 'text/plain'],
    ['HTML named .svg', 'a.svg', '<html><svg></svg></html>', 'text/plain'],
    ['HTML', 'a.html', '<!doctype html><title>Tea</title>', 'text/plain'],
    ['XHTML', 'a.xml', '<html xmlns="http://www.w3.org/1999/xhtml"/>', 'text/plain'],
    ['a PDF that is HTML, too', 'a.html', '%PDF-1.4\n<script>alert(1)</script>', 'application/pdf'],
    ['a GIF that is JavaScript, too', 'a.js', 'GIF89a/*\0\0*/=1', 'image/gif'],
    ['an empty file', 'a.png', '', 'application/octet-stream'],
    ['text in UTF-16', 'a.txt', Buffer.from('\ufefftea', 'utf16le'), 'application/octet-stream'],
    ['text in Latin-1', 'a.txt', latin1('gr\xfcn'), 'application/octet-stream'],
    ['a program', 'a.png', '\x7fELF\x02\x01', 'application/octet-stream'],
  ]
  for (const [what, path, content, mediaType] of others) {
    it(`${what} is ${mediaType}`, () => {
      expect(describeFile(Buffer.from(content as string), path).mediaType).to.equal(mediaType)
    })
  }

  it('a size that no picture has is unknown', () => {
    expect(describeFile(png(0xffffffff, 1), 'a.png')).to.deep.equal({ mediaType: 'image/png', ...NO_SIZE })
    expect(describeFile(png(320, 240).subarray(0, 18), 'a.png')).to.deep.equal({
      mediaType: 'image/png',
      ...NO_SIZE,
    })
  })

  it('a text may be cut within a character', () => {
    const text = Buffer.from('ü'.repeat(FILE_HEAD_BYTES))
    expect(describeFile(text.subarray(0, FILE_HEAD_BYTES - 1), 'a.txt').mediaType).to.equal('text/plain')
  })

  for (const [what, content] of Object.entries({
    'a JPEG of zeros': Buffer.concat([latin1('\xff\xd8\xff\xe0'), Buffer.alloc(FILE_HEAD_BYTES)]),
    'an SVG of comments': '<!-- '.repeat(60_000),
    'an SVG of declarations': '<?'.repeat(130_000),
    'an AVIF of empty boxes': Buffer.concat([avif.subarray(0, 16), Buffer.alloc(FILE_HEAD_BYTES)]),
  })) {
    it(`takes bounded time: ${what}`, function () {
      this.timeout(10_000)
      expect(describeFile(Buffer.from(content as string), 'a.svg').width).to.equal(null)
    })
  }
})
