import { createZip } from '@partner-hiring/test-support/zip';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RESUME_TYPES, sniffResumeType } from './resume-type.js';

const WORD = { '[Content_Types].xml': '<Types/>', '_rels/.rels': '', 'word/document.xml': '<w/>' };
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ODT = RESUME_TYPES.odt.mediaType;

const END_BYTES = 22;

/** Meaningless entries. */
function padding(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`word/${index}.xml`, '']));
}

/** A zip file with an entry beyond the limit of the list. */
function withoutLast(entries: Readonly<Record<string, string>>): Buffer {
  const zip = createZip(entries);
  zip.write('XX', zip.lastIndexOf('PK\u0001\u0002'));
  return zip;
}

/** A zip file with two directories, of which readers see one or the other. */
function withTwoLists(
  first: Readonly<Record<string, string>>,
  last: Readonly<Record<string, string>>,
): Buffer {
  const shown = createZip(first);
  const zip = Buffer.concat([shown.subarray(0, -END_BYTES), createZip(last)]);
  zip.writeUInt32LE(shown.readUInt32LE(shown.length - 6), zip.length - 6);
  return zip;
}

/** A zip file whose comment contains another zip file and claims a wrong length. */
function withZipBehind(zip: Buffer, other: Buffer): Buffer {
  const both = Buffer.concat([zip, other.subarray(0, -2), Buffer.from([1, 0])]);
  both.writeUInt16LE(other.length, zip.length - 2);
  both.writeUInt32LE(other.readUInt32LE(other.length - 6) + zip.length, both.length - 6);
  return both;
}

/** A zip file whose end record claims a longer directory that starts at the last entry. */
function withListBefore(zip: Buffer): Buffer {
  zip.writeUInt16LE(1, zip.length - 12);
  zip.writeUInt32LE(zip.lastIndexOf('PK\u0001\u0002'), zip.length - 6);
  return zip;
}

/** A zip file whose last entry is not counted and has no signature. */
function withLastHidden(entries: Readonly<Record<string, string>>): Buffer {
  const zip = withoutLast(entries);
  zip.writeUInt16LE(Object.keys(entries).length - 1, zip.length - 12);
  return zip;
}

/** A zip file with comments and extra fields, as some programs write them. */
function withExtras(name: string, content: string): Buffer {
  const zip = createZip({ [name]: content });
  const end = zip.length - END_BYTES;
  const entry = zip.lastIndexOf('PK\u0001\u0002');
  zip.writeUInt16LE(300, entry + 30);
  zip.writeUInt16LE(2, entry + 32);
  zip.writeUInt32LE(zip.readUInt32LE(end + 12) + 302, end + 12);
  zip.writeUInt16LE(3, end + 20);
  return Buffer.concat([zip.subarray(0, end), Buffer.alloc(302), zip.subarray(end), Buffer.from('Ada')]);
}

describe('RESUME_TYPES', () => {
  it('have registered media types', () => {
    const names = Object.values(RESUME_TYPES).map(({ extension, mediaType }) => `${extension} ${mediaType}`);
    expect(names).toEqual([
      '.pdf application/pdf',
      '.doc application/msword',
      '.docx application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      '.odt application/vnd.oasis.opendocument.text',
      '.rtf application/rtf',
      '.txt text/plain',
    ]);
  });
});

describe('sniffResumeType', () => {
  it.each<[string, Buffer, keyof typeof RESUME_TYPES]>([
    ['PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj'), 'pdf'],
    ['PDF behind white space', Buffer.from('\r\n %PDF-1.4\n'), 'pdf'],
    ['PDF behind 20 bytes', Buffer.from(`${'x'.repeat(20)}%PDF-1.7\n1 0 obj`), 'pdf'],
    ['PDF behind a mark', Buffer.from('\ufeff%PDF-1.7'), 'pdf'],
    [
      'PDF behind the headers of a form',
      Buffer.from('--x\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7'),
      'pdf',
    ],
    ['PDF behind the address of a sender', Buffer.from('From: Ada <ada@example.org>\r\n\r\n%PDF-1.7'), 'pdf'],
    ['PDF behind the language of printers', Buffer.from('\u001b%-12345X@PJL\r\n%PDF-1.4'), 'pdf'],
    ['PDF behind a header of NULs', Buffer.concat([Buffer.alloc(128), Buffer.from('%PDF-1.4')]), 'pdf'],
    ['PDF behind other brackets', Buffer.from('{ a < b } %PDF-1.4'), 'pdf'],
    ['PDF at the end of the first kilobyte', Buffer.from(`${'x'.repeat(1_019)}%PDF-1.7`), 'pdf'],
    ['text that has a PDF behind the first kilobyte', Buffer.from(`${'x'.repeat(1_020)}%PDF-1.7`), 'txt'],
    ['RTF', Buffer.from('{\\rtf1\\ansi Jane}'), 'rtf'],
    ['RTF behind a mark and white space', Buffer.from('\ufeff\r\n{\\rtf1 Jane}'), 'rtf'],
    ['RTF that mentions PDF', Buffer.from('{\\rtf1 %PDF-1.7}'), 'rtf'],
    ['Word', Buffer.concat([COMPOUND, Buffer.alloc(600), Buffer.from('WordDocument', 'utf16le')]), 'doc'],
    ['Word since 2007', createZip(WORD), 'docx'],
    ['Word with a PDF inside', createZip({ ...WORD, 'word/a.pdf': '%PDF-1.7' }), 'docx'],
    ['OpenDocument', createZip({ mimetype: ODT, 'content.xml': '<x/>' }), 'odt'],
    ['OpenDocument with extra fields and comments', withExtras('mimetype', ODT), 'odt'],
    ['text', Buffer.from('Jane Doe\r\n\tZürich – 10 years of welding\f'), 'txt'],
    ['text with a mark', Buffer.from('\ufeffJane Doe'), 'txt'],
    ['text in Latin-1', Buffer.from('Jane Doe, Zürich', 'latin1'), 'txt'],
    ['text in UTF-16', Buffer.from('\ufeffJane Doe', 'utf16le'), 'txt'],
    ['text in UTF-16, big-endian', Buffer.from('\ufeffJane Doe', 'utf16le').swap16(), 'txt'],
    ['text in brackets', Buffer.from('[Jane Doe] Welder'), 'txt'],
    // Left to the host's scanner.
    [
      'PDF, also with a script',
      Buffer.from('%PDF-1.7\n<< /OpenAction << /S /JavaScript /JS (x) >> >>'),
      'pdf',
    ],
    ['RTF, also with an object', Buffer.from('{\\rtf1{\\object\\objdata 01050000}}'), 'rtf'],
    ['Word, also with macros under another name', createZip({ ...WORD, 'word/fonts.bin': 'x' }), 'docx'],
  ])('recognizes %s', (_what, bytes, type) => {
    expect(sniffResumeType(bytes)).toBe(RESUME_TYPES[type]);
  });

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['blanks', Buffer.from(' \r\n\t ')],
    ['a web page', Buffer.from('\n<!DOCTYPE html><title>Sign in</title>')],
    ['a web page with a mark', Buffer.from('\ufeff<html>')],
    ['a web page in UTF-16', Buffer.from('\ufeff<html>', 'utf16le')],
    ['a web page in UTF-16, big-endian', Buffer.from('\ufeff<html>', 'utf16le').swap16()],
    ['a picture as text', Buffer.from('<svg onload="alert(1)">')],
    ['a script', Buffer.from('#!/bin/sh\nrm -r x')],
    ['an error in JSON', Buffer.from(' {"error": "not found"}')],
    ['brackets by the million, which would take long to parse', Buffer.alloc(1_000_001, '[')],
    ['a program', Buffer.from('MZ\u0090\u0000\u0003')],
    ['a picture', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['compressed data', Buffer.from('1f8b0800', 'hex')],
    ['a spreadsheet', Buffer.concat([COMPOUND, Buffer.from('Workbook', 'utf16le')])],
    ['a spreadsheet since 2007', createZip({ '[Content_Types].xml': '', 'xl/workbook.xml': '' })],
    ['Word with macros', createZip({ ...WORD, 'word/vbaProject.bin': 'x' })],
    ['Word with macros in other letters', createZip({ ...WORD, 'word/VBAProject.BIN': 'x' })],
    ['Word with macros in folders by another stroke', createZip({ ...WORD, 'word\\vbaProject.bin': 'x' })],
    ['Word with macros in no folder', createZip({ ...WORD, 'vbaProject.bin': 'x' })],
    ['Word with macros elsewhere', createZip({ ...WORD, 'macros/vbaProject.bin': 'x' })],
    [
      'old Word with macros',
      Buffer.concat([
        COMPOUND,
        ...['WordDocument', '_VBA_PROJECT'].map((name) => Buffer.from(name, 'utf16le')),
      ]),
    ],
    ['OpenDocument with macros', createZip({ mimetype: ODT, 'Basic/Standard/Module1.xml': 'x' })],
    ['OpenDocument with scripts', createZip({ mimetype: ODT, 'Scripts/python/x.py': 'x' })],
    [
      'Word whose list of entries leaves out its macros',
      withoutLast({ ...WORD, 'word/vbaProject.bin': 'x' }),
    ],
    [
      'Word whose macros come behind thousands of entries',
      createZip({ ...WORD, ...padding(2_000), 'word/vbaProject.bin': 'x' }),
    ],
    ['Word with more entries than are worth reading', createZip({ ...WORD, ...padding(2_000) })],
    [
      'OpenDocument whose list of entries begins before where it says',
      withListBefore(createZip({ mimetype: ODT, 'Basic/Standard/Module1.xml': 'x', 'content.xml': 'x' })),
    ],
    [
      'OpenDocument whose list of entries neither shows nor counts its macros',
      withLastHidden({ mimetype: ODT, 'content.xml': 'x', 'Basic/Standard/Module1.xml': 'x' }),
    ],
    [
      'OpenDocument whose list of entries cannot be read',
      Buffer.concat([
        createZip({ mimetype: ODT, 'Basic/Standard/Module1.xml': 'x' }),
        Buffer.from('PK\u0005\u0006'),
      ]),
    ],
    [
      'OpenDocument with macros in the second of two lists of entries',
      withTwoLists(
        { mimetype: ODT, 'content.xml': 'x', 'styles.xml': 'x' },
        { mimetype: ODT, 'content.xml': 'x', 'Basic/Standard/Module1.xml': 'x' },
      ),
    ],
    [
      'OpenDocument with macros and another list of entries in its comment',
      withZipBehind(
        createZip({ mimetype: ODT, 'Basic/Standard/Module1.xml': 'x' }),
        createZip({ mimetype: ODT, 'content.xml': 'x' }),
      ),
    ],
    [
      'OpenDocument with macros in folders by another stroke',
      createZip({ mimetype: ODT, 'Basic\\Standard\\Module1.xml': 'x' }),
    ],
    ...[
      '<html>',
      'x\n<html>',
      '<!DOCTYPE html>',
      '<?xml version="1.0"?>',
      '<svg onload="x">',
      '\ufeff<p>',
      '<script',
      '</p>',
      '<%',
    ].flatMap((markup): [string, Buffer][] => [
      [`a PDF behind ${markup}`, Buffer.from(`${markup}%PDF-1.7`)],
      [
        `a PDF behind ${markup} in UTF-16`,
        Buffer.concat([Buffer.from(markup, 'utf16le'), Buffer.from('%PDF-1.7')]),
      ],
    ]),
    ['a PDF behind a script', Buffer.from('#!/bin/sh\nrm -r x\n%PDF-1.7')],
    ['a PDF behind a program', Buffer.from('MZ\u0090\u0000%PDF-1.7')],
    ['a zip that begins like a PDF', createZip({ 'a.txt': '%PDF-1.7' })],
    ['an error in JSON that mentions PDF', Buffer.from('{"error": "no %PDF- found"}')],
    ['a web page that is a PDF too', Buffer.from('<!-- %PDF-1.7 --><script>x</script>')],
    ['a program that is Word too', Buffer.concat([Buffer.from('MZ\u0000'), createZip(WORD)])],
    ['a script that is a zip too', Buffer.concat([Buffer.from('#!/bin/sh\n'), createZip(WORD)])],
    ['any zip', createZip({ 'jane.txt': 'Jane' })],
    ['a zip that names its type elsewhere', createZip({ a: '', mimetype: ODT })],
    ['a zip cut short', createZip(WORD).subarray(0, 60)],
    ['text with a NUL', Buffer.from('Jane\u0000Doe')],
    ['UTF-16 with a NUL', Buffer.from('\ufeffJane\u0000', 'utf16le')],
  ])('refuses %s', (_what, bytes) => {
    expect(sniffResumeType(bytes)).toBeNull();
  });

  it('survives any bytes after any header', () => {
    const beginnings = [COMPOUND, Buffer.from('PK\u0003\u0004'), Buffer.from([0xff, 0xfe]), Buffer.alloc(0)];
    const endings = [Buffer.from('PK\u0005\u0006'), createZip(WORD).subarray(-22), Buffer.alloc(0)];
    fc.assert(
      fc.property(
        fc.constantFrom(...beginnings),
        fc.uint8Array({ maxLength: 200, size: 'max' }),
        fc.constantFrom(...endings),
        fc.uint8Array({ maxLength: 40, size: 'max' }),
        (...parts) => {
          expect(() => sniffResumeType(Buffer.concat(parts))).not.toThrow();
        },
      ),
    );
  });
});
