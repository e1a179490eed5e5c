import type { HttpRequest } from './message.js';

/**
 * JSON in UTF-8; both spellings of that label are in use. No run of blanks can be divided in two ways: matching
 * takes time in proportion to the header, however it ends.
 */
const JSON_IN_UTF8 = /^application\/json(?:[ \t]*;(?:[ \t]*charset=(?:utf-?8|"utf-?8"))?)*[ \t]*$/i;

/** Whether the headers announce a body as JSON in UTF-8 without a content encoding. */
export function announcesJson(request: HttpRequest): boolean {
  const [type, second] = request.headerValues('content-type');
  if (type === undefined || second !== undefined) return false;
  return JSON_IN_UTF8.test(type.trim()) && request.headerValues('content-encoding').every(isIdentity);
}

function isIdentity(encoding: string): boolean {
  return encoding.trim().toLowerCase() === 'identity';
}
