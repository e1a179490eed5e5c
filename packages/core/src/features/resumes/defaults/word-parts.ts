import { decodePercents } from '../../../domain/text.js';
import { readZipEntry, type ZipEntry } from './zip-entries.js';

const CONTENT_TYPES = '[content_types].xml';
const USUAL_MAIN_PART = 'word/document.xml';
const MAIN_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** A document of a thousand pictures has 100 kB. */
const MAX_TYPES_BYTES = 256 * 1024;

/** Returns whether a ZIP file is a Word document: it names its main part, and contains it. */
export function isWordDocument(bytes: Buffer, entries: readonly ZipEntry[]): boolean {
  const parts = new Set(entries.map(({ name }) => toPart(name)));
  const [types, ...others] = entries.filter(({ name }) => toPart(name) === CONTENT_TYPES);
  if (types === undefined || others.length > 0) return false;
  if (parts.has(USUAL_MAIN_PART)) return true;
  const xml = readZipEntry(bytes, types, MAX_TYPES_BYTES);
  return xml !== null && hasMainPart(decodeXml(xml), parts);
}

/** Makes names comparable: their letter case does not matter (ECMA-376, part 2), and some have backslashes. */
function toPart(name: string): string {
  return decodePercents(name).replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}

/** The patterns take linear time, also for hostile texts. */
const ELEMENT = /<(?:[\w.-]+:)?(Override|Default)\s([^<>]*)>/g;
const PART_NAME = attribute('PartName');
const EXTENSION = attribute('Extension');
const CONTENT_TYPE = attribute('ContentType');

function attribute(name: string): RegExp {
  return new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
}

function hasMainPart(xml: string, parts: ReadonlySet<string>): boolean {
  // Entities of its own could hide anything. Word refuses them too.
  if (/<!DOCTYPE/i.test(xml)) return false;
  const rest = new Set(parts);
  rest.delete(CONTENT_TYPES);
  const mainExtensions: string[] = [];
  for (const [, element, attributes = ''] of withoutComments(xml).matchAll(ELEMENT)) {
    const isMain = read(attributes, CONTENT_TYPE).split(';')[0]?.trim().toLowerCase() === MAIN_TYPE;
    if (element === 'Default' && isMain) mainExtensions.push(`.${read(attributes, EXTENSION).toLowerCase()}`);
    if (element === 'Default') continue;
    const isThere = rest.delete(toPart(read(attributes, PART_NAME)));
    if (isMain && isThere) return true;
  }
  // A default type applies to the parts without a type of their own.
  return [...rest].some((part) => mainExtensions.some((extension) => part.endsWith(extension)));
}

function withoutComments(xml: string): string {
  const [first = '', ...others] = xml.split('<!--');
  return first + others.map((text) => text.split('-->').slice(1).join('-->')).join('');
}

function read(attributes: string, pattern: RegExp): string {
  const [, double, single] = pattern.exec(attributes) ?? [];
  return decodeEntities(double ?? single ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,4})|#x([\da-f]{1,4})|(amp|lt|gt|quot|apos));/gi,
    (all, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? all;
      return String.fromCharCode(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
    },
  );
}

/** Decodes XML: UTF-16 if there is a byte order mark or the first character has two bytes, otherwise UTF-8. */
function decodeXml(bytes: Buffer): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || second === 0) return new TextDecoder('utf-16le').decode(bytes);
  if ((first === 0xfe && second === 0xff) || first === 0) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}
