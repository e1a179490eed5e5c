import { trimEdges } from './text.js';

/**
 * The inside of a character class, also for the OpenAPI document: white space, and the invisible marks that phones,
 * address books and messengers put around a number.
 */
export const AROUND_PHONE =
  '\\s\\u0085\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E' +
  '\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF9-\\uFFFC';
const EDGE = new RegExp(`[${AROUND_PHONE}]`);
const SCHEME = /^tel:(?:\/\/)?/i;

/** Returns a phone number without the white space, the invisible marks and the `tel:` around it. Decision 10. */
export function barePhone(text: string): string {
  const trimmed = trimEdges(text, EDGE);
  if (!SCHEME.test(trimmed)) return trimmed;
  return trimEdges(decodePercents(trimmed.replace(SCHEME, '')), EDGE);
}

function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
