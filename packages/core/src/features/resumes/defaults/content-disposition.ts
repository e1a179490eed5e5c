import { decodePercents } from '../../../domain/text.js';

/** Longer headers would take quadratic time. Names of 60 characters fit several times, in any encoding. */
const MAX_HEADER = 4_096;
const PARAMETER = /(?:^|[;,\s])\s*(filename\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gi;

/**
 * Returns the file name that a `Content-Disposition` header suggests, or an empty text. Reads what servers send beyond
 * RFC 6266, as browsers do: raw UTF-8, percent-encoded names, encoded words of e-mail (RFC 2047), other character sets,
 * and blanks without quotes.
 * @param header - decoded as Latin-1, byte by byte, as undici does it.
 */
export function suggestedFileName(header: string): string {
  const parameters = [...decodeRaw(header.slice(0, MAX_HEADER)).matchAll(PARAMETER)];
  const values = (isExtended: boolean) =>
    parameters.filter(([, name = '']) => name.endsWith('*') === isExtended).map(textOf);
  const names = [...values(true).map(decodeExtended), ...values(false).map(decodePlain)];
  return names.find((name) => name.trim() !== '') ?? '';
}

function textOf([, , quoted, token = '']: readonly string[]): string {
  return quoted?.replace(/\\(["\\])/g, '$1') ?? token.trim().replace(/^'(.*)'$/, '$1');
}

/** Decodes raw bytes as UTF-8, or as Windows-1252 if they are not UTF-8. */
function decodeRaw(header: string): string {
  if (/[\u0100-\uffff]/.test(header)) return header;
  const bytes = Buffer.from(header, 'latin1');
  return decodeBytes(bytes, 'utf-8') ?? decodeBytes(bytes, 'windows-1252') ?? header;
}

/** Decodes `charset'language'percent-encoded` (RFC 8187). Returns an empty text if it is not valid. */
function decodeExtended(value: string): string {
  const [, charset = '', text = value] = /^([\w:.-]*)'[^']*'(.*)$/s.exec(value) ?? [];
  return decodeBytes(bytesOf(text, /%([\da-f]{2})/gi), charset || 'utf-8') ?? '';
}

const WORDS = /=\?([\w:.-]+)(?:\*[\w-]+)?\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi;

/** The percent-encoding of a blank, or of a character beyond ASCII. */
const PERCENTS = /%20|%[c-f][\da-f]/i;

function decodePlain(value: string): string {
  if (PERCENTS.test(value)) return decodePercents(value);
  return value.replace(WORDS, (word, charset: string, encoding: string, text: string) => {
    const bytes =
      encoding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64')
        : bytesOf(text.replaceAll('_', ' '), /=([\da-f]{2})/gi);
    return decodeBytes(bytes, charset) ?? word;
  });
}

/** Encodes a text, in which two hexadecimal digits stand for a byte where `escapes` matches. */
function bytesOf(text: string, escapes: RegExp): Buffer {
  const unicode = Buffer.from(text).toString('latin1');
  return Buffer.from(
    unicode.replace(escapes, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

/** Windows-1252 from 0x80 on, where it differs from Latin-1. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Returns null if the character set is unknown, or the bytes are not valid in it. */
function decodeBytes(bytes: Buffer, charset: string): string | null {
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes);
    // Node 20 decodes Windows-1252 as Latin-1.
    return text.replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control);
  } catch {
    return null;
  }
}
