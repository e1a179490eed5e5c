import { isUtf8 } from 'node:buffer';
import { decodePercents } from '../../../domain/text.js';
import { decodeText, RESUME_TYPES, type ResumeType, sniffResumeType } from './resume-type.js';

export interface ResumeContent {
  readonly bytes: Buffer;
  readonly type: ResumeType;
}

/** Twelve bytes that a word of sixteen letters decodes to are text in one of 100,000 cases. */
const MIN_TEXT_BYTES = 12;

/**
 * Returns the résumé in a body: the body itself, or the file that it contains as Base64, also in quotes or as a data URI.
 * Gateways that are not configured for binary files send Base64. Returns null if the body contains no résumé.
 */
export function findResume(body: Buffer): ResumeContent | null {
  const type = sniffResumeType(body);
  if (type !== RESUME_TYPES.txt) return type && { bytes: body, type };
  const { bytes, isDataUri } = decodeBase64(decodeText(body));
  const innerType = sniffResumeType(bytes);
  const isMeant =
    isDataUri || innerType !== RESUME_TYPES.txt || (bytes.length >= MIN_TEXT_BYTES && isUtf8(bytes));
  if (innerType !== null && isMeant) return { bytes, type: innerType };
  return isDataUri ? null : { bytes: body, type };
}

/** Matches Base64, and decides quickly for usual texts. */
const MAYBE_BASE64 = /^(data:[^,]{0,200};\s?base64,)?([\w+/=%\s-]*)$/i;

/** Returns no bytes for a text that is not Base64 as a whole. */
function decodeBase64(text: string): { readonly bytes: Buffer; readonly isDataUri: boolean } {
  const [, dataUri, content = ''] = MAYBE_BASE64.exec(unquote(text.trim())) ?? [];
  return { bytes: Buffer.from(decodePercents(content), 'base64'), isDataUri: dataUri !== undefined };
}

/** Removes the quotes of JSON, with its escapes, and those of Python (`b'…'`). */
function unquote(text: string): string {
  const bare = text.replace(/^b?["']|["']$/g, '');
  try {
    return String(JSON.parse(`"${bare}"`));
  } catch {
    return bare;
  }
}
