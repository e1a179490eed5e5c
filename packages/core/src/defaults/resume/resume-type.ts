interface ResumeType {
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

const WORD_ENTRIES = ['[Content_Types].xml', 'word/document.xml'];
/** Matches the usual location of macros. An attacker can hide macros in another location. */
const MACRO_ENTRY = /(?:^|[/\\])vbaProject\.bin$|^(?:Basic|Scripts)[/\\]/i;

const NOT_IN_TEXT = /(?![\t\n\f\r\u0080-\u009f])\p{Cc}/u;
/** Matches markup and scripts. Such a file is usually a login page. */
const FOR_MACHINES = /^\s*(?:<|#!)/;

/**
 * Returns the type of a résumé file by its content. Returns null for other types, and for files with macros
 * in the usual location. This is not a malware scan.
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

/**
 * Decodes UTF-16 if the file starts with its byte order mark. Otherwise decodes Latin-1, because it has the
 * same control characters as UTF-8.
 */
function decodeText(bytes: Buffer): string {
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

const END_SIGNATURE = Buffer.from('PK\u0005\u0006');
const ENTRY_SIGNATURE = 0x02014b50;

const END_BYTES = 22;
const ENTRY_BYTES = 46;
const MAX_ENTRIES = 2_000;

/**
 * Returns the names in a ZIP directory without unpacking anything. Returns an empty list if the directory is
 * incomplete or ambiguous.
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
  // If the directory lists only some of the entries, reject it: other programs would also read the unlisted
  // ones.
  return names.length === count && at === endAt ? names : [];
}

function isWholeEnd(bytes: Buffer, endAt: number): boolean {
  return (
    endAt + END_BYTES <= bytes.length && endAt + END_BYTES + bytes.readUInt16LE(endAt + 20) === bytes.length
  );
}
