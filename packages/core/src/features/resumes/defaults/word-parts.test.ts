import { createZip } from '@partner-hiring/test-support/zip';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RESUME_TYPES, sniffResumeType } from './resume-type.js';

const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const OTHER = 'application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml';
const PART = 'word/document2.xml';

/** Builds a Word file with these content types. */
function word(types: string | Buffer, part = PART, typesName = '[Content_Types].xml'): Buffer {
  return createZip(
    { [typesName]: types, '_rels/.rels': '', [part]: '<w/>', 'word/a.xml': '<w/>' },
    'deflated',
  );
}

function typesXml(...elements: readonly string[]): string {
  const namespace = 'http://schemas.openxmlformats.org/package/2006/content-types';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Types xmlns="${namespace}">${elements.join('\n')}</Types>`;
}

function override(part: string, type = MAIN): string {
  return `<Override PartName="${part}" ContentType="${type}"/>`;
}

const TYPES = typesXml(
  '<Default Extension="xml" ContentType="application/xml"/>',
  override('/word/a.xml', OTHER),
  override(`/${PART}`),
);

/** Changes two bytes at this offset of the entry's line in the directory, the first by default. */
function withField(zip: Buffer, offset: number, value: number): Buffer {
  const changed = Buffer.from(zip);
  changed.writeUInt16LE(value, changed.indexOf('PK\u0001\u0002') + offset);
  return changed;
}

describe('a Word file whose main part has another name', () => {
  it.each<[string, Buffer]>([
    ['an override', word(TYPES)],
    ['an override, and stored', createZip({ '[Content_Types].xml': TYPES, [PART]: '<w/>' })],
    ['other letters', word(TYPES, 'Word/Document2.XML', '[content_types].xml')],
    ['backslashes', word(TYPES, 'word\\document2.xml')],
    ['a leading slash', word(TYPES, `/${PART}`)],
    ['a folder of its own', word(typesXml(override('/doc/cv.xml')), 'doc/cv.xml')],
    ['no folder', word(typesXml(override('/cv.xml')), 'cv.xml')],
    ['letters beyond ASCII', word(typesXml(override('/word/履歴書.xml')), 'word/履歴書.xml')],
    ['percent-encoding', word(typesXml(override('/word/l%C3%A4uft.xml')), 'word/läuft.xml')],
    ['a percent sign of its own', word(typesXml(override('/word/100%.xml')), 'word/100%.xml')],
    ['entities', word(typesXml(override('&#47;word&#x2f;a&amp;b.xml')), 'word/a&b.xml')],
    [
      'single quotes, line breaks and another order',
      word(typesXml(`<Override\n ContentType = '${MAIN}'\n PartName='/${PART}' ></Override>`)),
    ],
    [
      'a prefix',
      word(`<ct:Types xmlns:ct="x"><ct:Override PartName="/${PART}" ContentType="${MAIN}"/></ct:Types>`),
    ],
    [
      'a parameter and other letters in the type',
      word(typesXml(override(`/${PART}`, `${MAIN.toUpperCase()}; charset=utf-8`))),
    ],
    [
      'a default type',
      word(typesXml(`<Default Extension="XML" ContentType="${MAIN}"/>`, override('/word/a.xml', OTHER))),
    ],
    ['a comment before', word(typesXml('<!-- a --><!-- b -->', override(`/${PART}`)))],
    ['a byte order mark', word(`\ufeff${TYPES}`)],
    ['UTF-16', word(Buffer.from(`\ufeff${TYPES}`, 'utf16le'))],
    ['UTF-16 without a mark', word(Buffer.from(TYPES, 'utf16le'))],
    ['UTF-16, big-endian', word(Buffer.from(`\ufeff${TYPES}`, 'utf16le').swap16())],
  ])('is recognized with %s', (_what, zip) => {
    expect(sniffResumeType(zip)).toBe(RESUME_TYPES.docx);
  });

  it('is recognized with data after the length of the packed entry is known', () => {
    expect(sniffResumeType(withField(word(TYPES), 8, 0x0008))).toBe(RESUME_TYPES.docx);
  });

  it.each<[string, Buffer]>([
    ['no types', createZip({ [PART]: '<w/>' })],
    ['empty types', word('')],
    ['types without a main part', word(typesXml(override(`/${PART}`, OTHER)))],
    [
      'the types of a spreadsheet',
      word(TYPES.replaceAll('wordprocessingml.document', 'spreadsheetml.sheet')),
    ],
    [
      'a main part with macros',
      word(TYPES.replace(MAIN, 'application/vnd.ms-word.document.macroEnabled.main+xml')),
    ],
    ['macros', createZip({ '[Content_Types].xml': TYPES, [PART]: '<w/>', 'word/vbaProject.bin': 'x' })],
    ['a main part that is missing', word(TYPES, 'word/document3.xml')],
    [
      'a default type that is only for the types',
      createZip({ '[Content_Types].xml': typesXml(`<Default Extension="xml" ContentType="${MAIN}"/>`) }),
    ],
    ['a default type for other files', word(typesXml(`<Default Extension="bin" ContentType="${MAIN}"/>`))],
    ['the main part in a comment', word(typesXml(`<!-- ${override(`/${PART}`)} -->`))],
    ['the main part in a comment without end', word(typesXml(`<!-- ${override(`/${PART}`)}`))],
    ['entities of its own', word(`<!DOCTYPE Types [<!ENTITY a "b">]>${TYPES}`)],
    [
      'two lists of types',
      createZip({ '[Content_Types].xml': TYPES, '[content_types].xml': TYPES, [PART]: '<w/>' }),
    ],
    ['types of more than 256 kB', word(TYPES + ' '.repeat(300_000))],
    ['types that are a bomb', word(TYPES + ' '.repeat(50_000_000))],
    ['types that are encrypted', withField(word(TYPES), 8, 1)],
    ['types packed in another way', withField(word(TYPES), 10, 12)],
    ['types that are packed and say that they are not', withField(word(TYPES), 10, 0)],
    ['types that are cut short', withField(word(TYPES), 20, 40)],
    ['types that reach over the end', withField(word(TYPES), 20, 60_000)],
    ['types that start elsewhere', withField(word(TYPES), 42, 7)],
    ['types that start behind the end', withField(word(TYPES), 44, 1)],
    [
      'types whose own header has another name',
      Buffer.from(word(TYPES).toString('latin1').replace('[Content', '[content'), 'latin1'),
    ],
  ])('is refused with %s', (_what, zip) => {
    expect(sniffResumeType(zip)).toBeNull();
  });

  it('never throws, whatever bytes of it are changed', () => {
    const zip = word(TYPES);
    const changes = fc.array(fc.tuple(fc.nat(zip.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(changes, (changed) => {
        const broken = Buffer.from(zip);
        for (const [at, byte] of changed) broken[at] = byte;
        expect(() => sniffResumeType(broken)).not.toThrow();
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['opening brackets', '<Override '],
    ['a long name', '<Override PartName'],
    ['open quotes', ' PartName="'],
    ['comments without end', '<!--'],
    ['white space', '<Override PartName                '],
  ])('is refused in little time with many %s', (_what, piece) => {
    const zip = word(`<Override ${piece.repeat(250_000 / piece.length)}`);
    const startedAt = performance.now();
    expect(sniffResumeType(zip)).toBeNull();
    // A pattern of quadratic time needs minutes.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
