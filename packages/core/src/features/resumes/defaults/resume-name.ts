import { suggestedFileName } from './content-disposition.js';

/** File systems limit a name to 255 bytes, and one character may take four bytes. */
const MAX_CHARACTERS = 60;
/** Normalizing a run of combining marks takes quadratic time. */
const MAX_SUGGESTION = 1_000;
const FALLBACK = 'resume';

const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029/\\<>:"|?*]+/gu;
const EXTENSION = /\.(?:pdf|docx?|docm|odt|rtf|txt|html?|php|aspx?)$/i;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])$/i;

/** A safe name without a path: the server's suggestion, the end of the URL, or `resume`. */
export function resumeFileName(url: string, contentDisposition: string | null, extension: string): string {
  const suggestions = [withoutFolders(suggestedFileName(contentDisposition ?? '')), lastSegment(url)];
  const name = suggestions.map(cleanName).find((clean) => clean !== '') ?? FALLBACK;
  return `${name}${extension}`;
}

function cleanName(name: string): string {
  const clean = name
    .slice(0, MAX_SUGGESTION)
    .normalize('NFC')
    .replace(UNSAFE, ' ')
    .trim()
    .replace(EXTENSION, '');
  const cut = [...clean.replace(/^[\s.]+/, '')].slice(0, MAX_CHARACTERS).join('');
  const safe = cut.replace(/[\s.]+$/, '').replace(/\s+/g, ' ');
  return DEVICE.test((safe.split('.')[0] ?? '').trim()) ? '' : safe;
}

function lastSegment(url: string): string {
  if (!URL.canParse(url)) return '';
  return withoutFolders(decode(new URL(url).pathname));
}

function withoutFolders(name: string): string {
  return name.split(/[/\\]/).at(-1) ?? '';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
