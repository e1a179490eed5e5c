import { type Draft, type Drafts, EVENT_TEXT, EVENTS } from './draft.js';

const { statusChanged, jobOpened, jobClosed } = EVENTS;

/** A body that is delivered as signed. */
const signed = (expected: Draft['expected'], body: unknown): Draft => ({
  expected,
  body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
});
const verified = (body: unknown) => signed('verified', body);
const malformed = (body: unknown) => signed('malformed_body', body);
/** A body that differs from the signed one. */
const changed = (body: string): Draft => ({
  expected: 'no_matching_signature',
  body,
  signedBody: EVENT_TEXT,
});

/** A status change with raw bytes as its stage label. */
function withLabel(...bytes: readonly number[]): Uint8Array {
  const [before = '', after = ''] = EVENT_TEXT.split('Hired');
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}

export const BODIES: Drafts = {
  'application.status_changed': verified(statusChanged),
  'application.status_changed of an application without an identifier of the partner': verified({
    ...statusChanged,
    data: { ...statusChanged.data, sourceApplicationId: null },
  }),
  'job.opened': verified(jobOpened),
  'job.closed': verified(jobClosed),
  'a type to come, and its data': verified({ ...jobOpened, type: 'job.paused', data: { until: null } }),
  'fields to come': verified({ ...jobClosed, more: 1, data: { ...jobClosed.data, more: { a: [1] } } }),
  'a value to come': verified({ ...jobClosed, data: { ...jobClosed.data, reason: 'company_moved' } }),
  'the keys in another order': verified(Object.fromEntries(Object.entries(jobOpened).reverse())),
  'blanks and line breaks in the JSON, CRLF at the end': verified(
    `${JSON.stringify(jobOpened, null, 2)}\r\n`,
  ),
  'text of several scripts, composed and decomposed': verified({
    ...jobOpened,
    data: { ...jobOpened.data, title: 'Köchin · Ko\u0308chin · 料理人 · طاهية · 👩‍🍳 · \u2028' },
  }),
  'the same text in escapes': verified(
    JSON.stringify({ ...jobOpened, data: { ...jobOpened.data, title: 'Köchin 👩‍🍳' } }).replace(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  ),
  'an event of more than 4,000 bytes': verified({
    ...jobOpened,
    data: { ...jobOpened.data, title: 'Picker '.repeat(600) },
  }),

  'a changed value': changed(EVENT_TEXT.replace('accepted', 'rejected')),
  'the JSON written anew, with blanks': changed(JSON.stringify(statusChanged, null, 2)),
  'a line break behind the body': changed(`${EVENT_TEXT}\n`),
  'the last byte missing': changed(EVENT_TEXT.slice(0, -1)),
  'an empty body where another was signed': changed(''),
  'no JSON, and wrongly signed': changed('{'),

  'no body': { expected: 'missing_body', body: null },
  'no body, and no header': {
    expected: 'missing_body',
    body: null,
    signature: () => [],
    timestamp: () => [],
  },
  'a parsed object': { expected: 'body_was_parsed', body: { parsed: statusChanged } },
  'a parsed list': { expected: 'body_was_parsed', body: { parsed: [statusChanged] } },
  'a parsed number': { expected: 'body_was_parsed', body: { parsed: 5 } },

  'an empty body': malformed(''),
  'JSON cut short': malformed(EVENT_TEXT.slice(0, -1)),
  null: malformed('null'),
  'a list': malformed([statusChanged]),
  'a text in JSON': malformed('"evt_1"'),
  'a byte order mark before the JSON': malformed(`\uFEFF${EVENT_TEXT}`),
  'a byte order mark alone': malformed('\uFEFF'),
  'a NUL behind the JSON': malformed(Buffer.from(`${EVENT_TEXT}\0`)),
  'UTF-16': malformed(Buffer.from(EVENT_TEXT, 'utf16le')),
  'a byte that is no UTF-8': malformed(withLabel(0xff)),
  'Latin-1': malformed(withLabel(0x4b, 0xf6)),
  'a character in UTF-8 cut short': malformed(withLabel(0xe6, 0x96)),
  'a character in UTF-8 longer than it need be': malformed(withLabel(0xc1, 0x81)),
  'half of a surrogate pair in UTF-8': malformed(withLabel(0xed, 0xa0, 0x80)),
  'no id': malformed({ ...statusChanged, id: undefined }),
  'an id that is no text': malformed({ ...statusChanged, id: 1 }),
  'no type': malformed({ ...statusChanged, type: undefined }),
  'no createdAt': malformed({ ...statusChanged, createdAt: undefined }),
  'no apiVersion': malformed({ ...statusChanged, apiVersion: undefined }),
  'no data': malformed({ ...statusChanged, data: undefined }),
  'data that is a list, of a type to come': malformed({ ...statusChanged, type: 'job.paused', data: [] }),
  'a field of its type missing': malformed({ ...jobOpened, data: { ...jobOpened.data, title: undefined } }),
  'a field of its type that is no text': malformed({ ...jobClosed, data: { ...jobClosed.data, reason: 7 } }),
  'null where no null may be': malformed({ ...jobClosed, data: { ...jobClosed.data, jobId: null } }),
  'version v2': signed('unsupported_version', { ...statusChanged, apiVersion: 'v2' }),
  'version v2, and nothing else in it': signed('unsupported_version', { apiVersion: 'v2' }),
};
