/** A kind of document that a résumé may be. */
interface ResumeType {
  readonly mediaType: string;
  readonly extension: string;
}

/** The kinds that are accepted. */
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

/** Every compound file of old Office begins so: Word, Excel, installers. */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** The stream that only Word's has, as its directory names it. */
const WORD_STREAM = Buffer.from('WordDocument', 'utf16le');
/** The stream that usually holds what its macros are compiled to. */
const MACRO_STREAM = Buffer.from('_VBA_PROJECT', 'utf16le');
const ZIP_FILE = Buffer.from('PK\u0003\u0004');
/** An OpenDocument file starts with its type, stored plainly as its first entry. */
const ODT_ENTRY = Buffer.from(`mimetype${RESUME_TYPES.odt.mediaType}`);
const ODT_ENTRY_AT = 30;

/** What every document of Word has. */
const WORD_ENTRIES = ['[Content_Types].xml', 'word/document.xml'];
/**
 * Where Word and OpenDocument usually keep macros. Word reads names in whatever case, from whatever folder. A file can give
 * its macros another name: this finds those of ordinary programs, not those of an attacker.
 */
const MACRO_ENTRY = /(?:^|[/\\])vbaProject\.bin$|^(?:Basic|Scripts)[/\\]/i;

/** No text has these: the controls of ASCII but tab, line feed, form feed and carriage return. */
const NOT_IN_TEXT = /(?![\t\n\f\r\u0080-\u009f])\p{Cc}/u;
/** Text for machines: markup, and scripts. A page that asks to sign in is the commonest of it. */
const FOR_MACHINES = /^\s*(?:<|#!)/;

/**
 * Returns what kind of document a file is, or null if it is nothing that a résumé may be. Only the content decides, not
 * the server's or the file name's claim. Word and OpenDocument files with macros under their usual names give null, too.
 *
 * This is not a malware scan. It does not find macros under other names, scripts in a PDF, objects in RTF, or templates
 * that Word loads from elsewhere. A host's `ResumeScanner` does.
 */
export function sniffResumeType(bytes: Buffer): ResumeType | null {
  const start = bytes.subarray(0, 1_024).toString('latin1').trimStart();
  if (start.startsWith('%PDF-')) return RESUME_TYPES.pdf;
  if (start.startsWith('{\\rtf')) return RESUME_TYPES.rtf;
  if (startsWith(bytes, COMPOUND_FILE)) return sniffCompound(bytes);
  if (startsWith(bytes, ZIP_FILE)) return sniffZip(bytes);
  return isPlainText(bytes) ? RESUME_TYPES.txt : null;
}

function sniffCompound(bytes: Buffer): ResumeType | null {
  return bytes.includes(WORD_STREAM) && !bytes.includes(MACRO_STREAM) ? RESUME_TYPES.doc : null;
}

function sniffZip(bytes: Buffer): ResumeType | null {
  const names = listZipEntries(bytes);
  if (names.length === 0) return null;
  if (names.some((name) => MACRO_ENTRY.test(name))) return null;
  if (bytes.subarray(ODT_ENTRY_AT, ODT_ENTRY_AT + ODT_ENTRY.length).equals(ODT_ENTRY))
    return RESUME_TYPES.odt;
  return WORD_ENTRIES.every((name) => names.includes(name)) ? RESUME_TYPES.docx : null;
}

function isPlainText(bytes: Buffer): boolean {
  const text = decodeText(bytes);
  return text.trim() !== '' && !NOT_IN_TEXT.test(text) && !FOR_MACHINES.test(text) && !isJson(text);
}

/** UTF-16 where a mark says so; all else as Latin-1, in which controls are the same as in UTF-8. */
function decodeText(bytes: Buffer): string {
  const isUtf16 =
    startsWith(bytes, Buffer.from([0xff, 0xfe])) || startsWith(bytes, Buffer.from([0xfe, 0xff]));
  if (!isUtf16) return bytes.toString('latin1').replace(/^ï»¿/, '');
  return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
}

/** Ten megabytes of brackets keep the process busy for more than a second. No résumé in brackets is as long. */
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

/** The record that ends a zip file, and the one that each entry has in its directory. */
const END_SIGNATURE = Buffer.from('PK\u0005\u0006');
const ENTRY_SIGNATURE = 0x02014b50;

const END_BYTES = 22;
const ENTRY_BYTES = 46;
/** A document has some dozens of entries; a list beyond this one is not worth reading on. */
const MAX_ENTRIES = 2_000;

/**
 * The names of the entries of a zip file, from its directory; empty if it has none that can be read to its end, or
 * another reader might take other bytes for it: it lies right before the record that ends the file, and that says
 * where. Nothing is unpacked.
 */
function listZipEntries(bytes: Buffer): readonly string[] {
  const endAt = bytes.lastIndexOf(END_SIGNATURE);
  if (endAt < 0 || !isWholeEnd(bytes, endAt)) return [];
  const names: string[] = [];
  const count = bytes.readUInt16LE(endAt + 10);
  let at = bytes.readUInt32LE(endAt + 16);
  if (at + bytes.readUInt32LE(endAt + 12) !== endAt) return [];
  while (
    names.length < MAX_ENTRIES &&
    at + ENTRY_BYTES <= endAt &&
    bytes.readUInt32LE(at) === ENTRY_SIGNATURE
  ) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const nameAt = at + ENTRY_BYTES;
    names.push(bytes.subarray(nameAt, nameAt + nameLength).toString('utf8'));
    at = nameAt + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  // What is left out of the list is there all the same, for whoever unpacks the file.
  return names.length === count && at === endAt ? names : [];
}

/** Whether nothing follows the record but the comment that it announces. */
function isWholeEnd(bytes: Buffer, endAt: number): boolean {
  return (
    endAt + END_BYTES <= bytes.length && endAt + END_BYTES + bytes.readUInt16LE(endAt + 20) === bytes.length
  );
}
