import { type Draft, type Drafts, T, usual } from './draft.js';

/** Invalid signature headers. */
const sends = (expected: Draft['expected'], signature: (t: string, digest: string) => string): Draft => ({
  expected,
  signature: (t, [digest]) => [signature(t, digest)],
});

const malformed = (signature: (t: string, digest: string) => string) => sends('malformed_header', signature);
/** A header without a `t` or without the digest as the page writes it, so that every verifier refuses it. */
const unsigned = (signature: (t: string, digest: string) => string): Draft => ({
  ...malformed(signature),
  required: true,
});
const verified = (signature: (t: string, digest: string) => string) => sends('verified', signature);

/** Timestamp headers that differ from `t`. */
const mismatch = (...timestamp: readonly string[]): Draft => ({
  expected: 'timestamp_mismatch',
  timestamp: () => timestamp,
});

export const HEADERS: Drafts = {
  'header names in lower case': {
    expected: 'verified',
    headerNames: ['x-partner-signature', 'x-partner-timestamp'],
  },
  'header names in upper case': {
    expected: 'verified',
    headerNames: ['X-PARTNER-SIGNATURE', 'X-PARTNER-TIMESTAMP'],
  },
  'no header at all': { expected: 'missing_header', signature: () => [], timestamp: () => [] },
  'X-Partner-Timestamp alone': { expected: 'missing_header', signature: () => [] },
  'an empty X-Partner-Signature': unsigned(() => ''),
  'X-Partner-Signature sent twice': {
    expected: 'malformed_header',
    signature: (...of) => [usual(...of), usual(...of)],
  },
  'X-Partner-Signature sent in two parts': {
    expected: 'verified',
    signature: (t, [digest]) => [`t=${t}`, `v1=${digest}`],
  },

  'v1 before t': verified((t, digest) => `v1=${digest},t=${t}`),
  't between two v1': verified((t, digest) => `v1=${'0'.repeat(64)},t=${t},v1=${digest}`),
  'the same v1 twice': verified((t, digest) => `t=${t},v1=${digest},v1=${digest}`),
  'entries of other schemes around v1': verified(
    (t, digest) => `v0=zz,t=${t},v2=any+thing/at=all,v1=${digest},x=`,
  ),
  'entries of names that begin as t and v1 do': verified(
    (t, digest) => `tt=1,t=${t},v10=zz,v1=${digest},ts_2=0`,
  ),
  'an entry of another scheme with a blank in its value': malformed(
    (t, digest) => `t=${t},v1=${digest},v2=any thing`,
  ),
  'an entry of another scheme with a tab in its value': malformed(
    (t, digest) => `t=${t},v1=${digest},v2=any\tthing`,
  ),
  'an entry of another scheme beyond ASCII': malformed((t, digest) => `t=${t},v1=${digest},v2=\u00E9`),
  'an entry with a name in upper case': malformed((t, digest) => `t=${t},v1=${digest},V2=zz`),
  'an entry with a hyphen in its name': malformed((t, digest) => `t=${t},v1=${digest},v-2=zz`),
  'an entry with a name that begins with a digit': malformed((t, digest) => `t=${t},v1=${digest},2v=zz`),
  'other schemes only': unsigned((t, digest) => `t=${t},v0=${digest},v2=${digest}`),
  'no v1': unsigned((t) => `t=${t}`),
  'no t': unsigned((_t, digest) => `v1=${digest}`),
  't twice, equal': malformed((t, digest) => `t=${t},t=${t},v1=${digest}`),
  't twice, different': malformed((t, digest) => `t=${T - 1},t=${t},v1=${digest}`),
  'an empty t': unsigned((_t, digest) => `t=,v1=${digest}`),
  't with a leading zero': malformed((t, digest) => `t=0${t},v1=${digest}`),
  't with a sign': malformed((t, digest) => `t=+${t},v1=${digest}`),
  't below zero': unsigned((_t, digest) => `t=-1,v1=${digest}`),
  't with a fraction': malformed((t, digest) => `t=${t}.0,v1=${digest}`),
  't with an exponent': unsigned((_t, digest) => `t=175e7,v1=${digest}`),
  't in hexadecimal': unsigned((_t, digest) => `t=0x684ee180,v1=${digest}`),
  'T in upper case': malformed((t, digest) => `T=${t},v1=${digest}`),
  'V1 in upper case': malformed((t, digest) => `t=${t},V1=${digest}`),
  'a digest in upper case': unsigned((t, digest) => `t=${t},v1=${digest.toUpperCase()}`),
  'a digest in base64': unsigned((t, digest) => `t=${t},v1=${Buffer.from(digest, 'hex').toString('base64')}`),
  'a digest cut short': unsigned((t, digest) => `t=${t},v1=${digest.slice(0, 62)}`),
  'a digest with something behind it': unsigned((t, digest) => `t=${t},v1=${digest}00`),
  'a digest in quotes': unsigned((t, digest) => `t=${t},v1="${digest}"`),
  'an empty digest': unsigned((t) => `t=${t},v1=`),
  'a malformed v1 beside a right one': malformed((t, digest) => `t=${t},v1=${digest},v1=zz`),
  'a blank behind the comma': verified((t, digest) => `t=${t}, v1=${digest}`),
  'a blank before the comma': verified((t, digest) => `t=${t} ,v1=${digest}`),
  'a tab behind the comma': verified((t, digest) => `t=${t},\tv1=${digest}`),
  'blanks and tabs around each comma': verified(
    (t, digest) => `v1=${'0'.repeat(64)} \t,  v2=zz\t,\t t=${t}  ,  v1=${digest}`,
  ),
  'a blank instead of an entry': malformed((t, digest) => `t=${t}, ,v1=${digest}`),
  'blanks without a comma': malformed((t, digest) => `t=${t}  v1=${digest}`),
  'a blank before the equals sign': malformed((t, digest) => `t=${t},v1 =${digest}`),
  'a blank behind the equals sign': malformed((t, digest) => `t=${t},v1= ${digest}`),
  'a semicolon between the entries': malformed((t, digest) => `t=${t};v1=${digest}`),
  'an empty entry': malformed((t, digest) => `t=${t},,v1=${digest}`),
  'a comma at the end': malformed((t, digest) => `t=${t},v1=${digest},`),
  'an entry without a value': malformed((t, digest) => `t=${t},v1=${digest},v2`),
  'an entry without a name': malformed((t, digest) => `t=${t},=x,v1=${digest}`),
  'a digest and nothing else': unsigned((_t, digest) => digest),
  'a digest of the right form that is another': sends('no_matching_signature', (t) =>
    usual(t, ['0'.repeat(64)]),
  ),
  'a digest that differs in its last digit': sends('no_matching_signature', (t, digest) =>
    usual(t, [digest.slice(0, -1) + (digest.endsWith('0') ? '1' : '0')]),
  ),
  't that is another than was signed, in both headers': {
    expected: 'no_matching_signature',
    signature: (_t, digests) => [usual(String(T + 1), digests)],
    timestamp: () => [String(T + 1)],
  },

  'X-Partner-Timestamp missing': mismatch(),
  'X-Partner-Timestamp empty': mismatch(''),
  'X-Partner-Timestamp another second': mismatch(String(T + 1)),
  'X-Partner-Timestamp the same number written otherwise': mismatch(`0${T}`),
  'X-Partner-Timestamp in milliseconds': mismatch(`${T}000`),
  'X-Partner-Timestamp sent twice, equal': mismatch(String(T), String(T)),
  'a malformed signature, and no X-Partner-Timestamp': {
    expected: 'malformed_header',
    required: true,
    signature: () => ['none'],
    timestamp: () => [],
  },
};
