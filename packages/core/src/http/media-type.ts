import type { HttpRequest } from './message.js';

/** US-ASCII is a part of UTF-8. Some clients write single quotes. */
const IN_UTF8 = /charset=(["']?)(?:utf-?8|(?:us-)?ascii)\1/;
const OTHER_PARAMETER = /(?!charset=)[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"[^"\\]*")/;
/** Matching takes linear time, because a run of blanks can match in only one way. */
const JSON_IN_UTF8 = new RegExp(
  `^application/json(?:[ \\t]*;(?:[ \\t]*(?:${IN_UTF8.source}|${OTHER_PARAMETER.source}))?)*[ \\t]*$`,
  'i',
);
const CHARSET = /^(?:utf|ucs|us-?ascii|ascii|iso-?8859|latin|windows-|cp\d|unicode)/;
const COMPRESSION = /^(?:x-)?(?:gzip|compress|deflate|br|zstd)$/;

/**
 * Returns null if the headers declare JSON in UTF-8 without a content encoding. Otherwise, says which header is wrong
 * and why, without repeating its value. Decision 5.
 */
export function problemOfMediaType(request: Pick<HttpRequest, 'headerValues'>): string | null {
  const problems = [
    problemOfType(request.headerValues('content-type')),
    problemOfEncoding(request.headerValues('content-encoding')),
  ].filter((problem) => problem !== null);
  return problems.length === 0 ? null : problems.join(' ');
}

function problemOfType([value, second]: readonly string[]): string | null {
  if (value === undefined) return 'The header Content-Type is missing.';
  if (second !== undefined) return 'The header Content-Type is there more than once.';
  const text = value.trim();
  if (JSON_IN_UTF8.test(text)) return null;
  if (text === '') return 'The header Content-Type is empty.';
  const [type = '', ...parameters] = text.toLowerCase().split(';');
  if (type.includes(',')) return 'The header Content-Type has more than one value.';
  if (type.trim() !== 'application/json') return 'The header Content-Type names another media type.';
  if (parameters.some((parameter) => /^\s*charset=/.test(parameter))) {
    return 'The header Content-Type names a charset other than UTF-8.';
  }
  return 'The header Content-Type has a parameter that is not name=value.';
}

function problemOfEncoding(values: readonly string[]): string | null {
  const codings = values.flatMap((value) => value.split(',')).map((coding) => coding.trim().toLowerCase());
  const other = codings.find((coding) => coding !== 'identity');
  if (other === undefined) return null;
  if (other === '') return 'The header Content-Encoding is empty: omit it.';
  if (CHARSET.test(other)) {
    return 'The header Content-Encoding names a charset, which is not a content coding: omit it, or move the charset to Content-Type.';
  }
  if (COMPRESSION.test(other)) {
    return 'The header Content-Encoding names a compression: send the body uncompressed, and omit the header.';
  }
  return 'The header Content-Encoding names something other than identity: omit it.';
}
