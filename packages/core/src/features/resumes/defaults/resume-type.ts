import { isWordDocument } from './word-parts.js';
import { listZipEntries } from './zip-entries.js';

export interface ResumeType {
  readonly mediaType: string;
  readonly extension: string;
}

export const RESUME_TYPES = {
  pdf: { mediaType: 'application/pdf', extension: '.pdf' },
  doc: { mediaType: 'application/msword', extension: '.doc' },
  docx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    extension: '.docx',
  },
  odt: { mediaType: 'application/vnd.oasis.opendocument.text', extension: '.odt' },
  rtf: { mediaType: 'application/rtf', extension: '.rtf' },
  txt: { mediaType: 'text/plain', extension: '.txt' },
} as const satisfies Record<string, ResumeType>;

const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const WORD_STREAM = Buffer.from('WordDocument', 'utf16le');
const MACRO_STREAM = Buffer.from('_VBA_PROJECT', 'utf16le');
const ZIP_FILE = Buffer.from('PK\u0003\u0004');
/** The start of an OpenDocument file: an uncompressed ZIP entry that names the media type. */
const ODT_ENTRY = Buffer.from(`mimetype${RESUME_TYPES.odt.mediaType}`);
const ODT_ENTRY_AT = 30;

/** Matches the usual location of macros. An attacker can hide macros in another location. */
const MACRO_ENTRY = /(?:^|[/\\])vbaProject\.bin$|^(?:Basic|Scripts)[/\\]/i;

const NOT_IN_TEXT = /(?![\t\n\f\r\u0080-\u009f])\p{Cc}/u;
/** Matches markup and scripts. Such a file is usually a login page. */
const FOR_MACHINES = /^\s*(?:<|#!)/;

/** How far into a file readers look for the start of a PDF: mail programs, printers and forms put text before it. */
const PDF_WITHIN_BYTES = 1_024;
/** Matches a tag, a comment or a declaration, but not `<ada@example.org>`. */
const MARKUP = /<(?:[a-z][\w:.-]*(?:[\s/>]|$)|[!?%]|\/[a-z])/i;
/** Matches the start of programs for Windows, Linux, macOS and Java. */
const PROGRAM = /^(?:MZ|\u007fELF|[\u00ce\u00cf]\u00fa\u00ed\u00fe|\u00ca\u00fe\u00ba\u00be)/;

/**
 * Returns the type of a résumé file by its content. Returns null for other types, and for files with macros
 * in the usual location. This is not a malware scan.
 */
export function sniffResumeType(bytes: Buffer): ResumeType | null {
  const start = bytes.subarray(0, PDF_WITHIN_BYTES).toString('latin1');
  if (/^(?:ï»¿)?\s*\{\\rtf/.test(start)) return RESUME_TYPES.rtf;
  if (startsWith(bytes, COMPOUND_FILE)) return sniffCompound(bytes);
  if (startsWith(bytes, ZIP_FILE)) return sniffZip(bytes);
  const pdfAt = start.indexOf('%PDF-');
  if (pdfAt >= 0) return isHarmless(start.slice(0, pdfAt), bytes) ? RESUME_TYPES.pdf : null;
  return isPlainText(bytes) ? RESUME_TYPES.txt : null;
}

/** Returns whether the text before a PDF is neither markup, a script nor a program, also in UTF-16. */
function isHarmless(before: string, bytes: Buffer): boolean {
  const text = before.replaceAll('\u0000', '').replace(/^(?:ï»¿|þÿ|ÿþ)/, '');
  if (MARKUP.test(text) || FOR_MACHINES.test(text) || PROGRAM.test(before)) return false;
  return !/^\s*[[{]/.test(text) || !isJson(bytes.toString('latin1'));
}

function sniffCompound(bytes: Buffer): ResumeType | null {
  return bytes.includes(WORD_STREAM) && !bytes.includes(MACRO_STREAM) ? RESUME_TYPES.doc : null;
}

function sniffZip(bytes: Buffer): ResumeType | null {
  const entries = listZipEntries(bytes);
  if (entries.length === 0) return null;
  if (entries.some(({ name }) => MACRO_ENTRY.test(name))) return null;
  if (bytes.subarray(ODT_ENTRY_AT, ODT_ENTRY_AT + ODT_ENTRY.length).equals(ODT_ENTRY))
    return RESUME_TYPES.odt;
  return isWordDocument(bytes, entries) ? RESUME_TYPES.docx : null;
}

function isPlainText(bytes: Buffer): boolean {
  const text = decodeText(bytes);
  return text.trim() !== '' && !NOT_IN_TEXT.test(text) && !FOR_MACHINES.test(text) && !isJson(text);
}

/**
 * Decodes UTF-16 if the file starts with its byte order mark. Otherwise decodes Latin-1, because it has the
 * same control characters as UTF-8.
 */
export function decodeText(bytes: Buffer): string {
  const isUtf16 =
    startsWith(bytes, Buffer.from([0xff, 0xfe])) || startsWith(bytes, Buffer.from([0xfe, 0xff]));
  if (!isUtf16) return bytes.toString('latin1').replace(/^ï»¿/, '');
  return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
}

/** Parsing ten megabytes of brackets blocks the process for a second. */
const MAX_PARSED = 1_000_000;

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  if (text.length > MAX_PARSED) return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function startsWith(bytes: Buffer, prefix: Buffer): boolean {
  return bytes.subarray(0, prefix.length).equals(prefix);
}
