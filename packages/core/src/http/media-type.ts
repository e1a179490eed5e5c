import type { HttpRequest } from './message.js';

/** Both spellings of that label are in use. */
const IN_UTF8 = /charset=(?:utf-?8|"utf-?8")/;
/** Any parameter but the one that says otherwise: what a receiver does not know, it ignores. */
const OTHERWISE = /(?!charset=)[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"[^"\\]*")/;
/**
 * JSON in UTF-8. No run of blanks can be divided in two ways: matching takes time in proportion to the header,
 * however it ends.
 */
const JSON_IN_UTF8 = new RegExp(
  `^application/json(?:[ \\t]*;(?:[ \\t]*(?:${IN_UTF8.source}|${OTHERWISE.source}))?)*[ \\t]*$`,
  'i',
);

/** Whether the headers announce a body as JSON in UTF-8 without a content encoding. */
export function announcesJson(request: HttpRequest): boolean {
  const [type, second] = request.headerValues('content-type');
  if (type === undefined || second !== undefined) return false;
  return JSON_IN_UTF8.test(type.trim()) && request.headerValues('content-encoding').every(isIdentity);
}

function isIdentity(encoding: string): boolean {
  return encoding.trim().toLowerCase() === 'identity';
}
