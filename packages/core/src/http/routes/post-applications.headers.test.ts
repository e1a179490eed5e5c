import { createHandlerUnderTest, neutralRequest } from '@partner-hiring/test-support/servers/handler';
import { BODY, HEADERS, post, UUID } from '@partner-hiring/test-support/submission-body';
import { describe, expect, it } from 'vitest';
import { WIRE_ERRORS } from '../../domain/wire-errors.js';

describe('413, 415 and the idempotency key, in that order (decisions 5, 11 and 12)', () => {
  it('413 PAYLOAD_TOO_LARGE one byte over the limit, and not at it', async () => {
    expect((await post(HEADERS, BODY, BODY.length)).status).toBe(201);
    const announced = { ...HEADERS, 'content-length': String(BODY.length) };
    expect((await post(announced, BODY, BODY.length)).status).toBe(201);
    const { status, json, headers } = await post(HEADERS, BODY, BODY.length - 1);
    expect([status, json.error]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(headers['X-RateLimit-Limit']).toBe('300');
  });

  it('413 without reading a body whose Content-Length is too large', async () => {
    const { handler } = createHandlerUnderTest();
    const request = neutralRequest('POST', '/api/v1/external/applications', {
      headers: { ...HEADERS, 'content-length': '262145' },
    });
    const reply = await handler({ ...request, readBody: () => Promise.reject(new Error('It was read.')) });
    expect(reply.status).toBe(413);
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; version=1',
    'application/json;profile="https://ats.example/v2; charset=latin1" ; charset=utf-8',
  ])('accepts Content-Type: %s', async (type) => {
    expect((await post({ ...HEADERS, 'content-type': type })).status).toBe(201);
  });

  it.each([
    'text/plain',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; version=1; charset=latin1',
    'application/json; charset',
    'application/json version=1',
    'application/json, application/json',
    'multipart/form-data',
    'json',
    '',
  ])('a Content-Type of %s gets 415 UNSUPPORTED_MEDIA_TYPE', async (type) => {
    const { status, json } = await post({ ...HEADERS, 'content-type': type });
    expect([status, json.error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('matches a Content-Type of blanks in linear time, or this test times out', async () => {
    for (const type of ['application/json', 'application/json;', 'application/json;a="']) {
      const endless = `${type}${' '.repeat(100_000)}x`;
      expect((await post({ ...HEADERS, 'content-type': endless })).status).toBe(415);
    }
  });

  it('no Content-Type, or two of them, gets 415', async () => {
    expect((await post({ 'idempotency-key': UUID })).status).toBe(415);
    const two = ['application/json', 'application/json'];
    expect((await post({ ...HEADERS, 'content-type': two })).status).toBe(415);
  });

  it('any content encoding but identity gets 415', async () => {
    expect((await post({ ...HEADERS, 'content-encoding': 'identity' })).status).toBe(201);
    expect((await post({ ...HEADERS, 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await post({ ...HEADERS, 'content-encoding': 'identity, gzip' })).status).toBe(415);
  });

  it.each([
    [{ 'content-type': [] }, 'The header Content-Type is missing.'],
    [{ 'content-type': '' }, 'The header Content-Type is empty.'],
    [
      { 'content-type': ['application/json', 'text/plain'] },
      'The header Content-Type is there more than once.',
    ],
    [{ 'content-type': 'application/json, text/plain' }, 'The header Content-Type has more than one value.'],
    [{ 'content-type': 'text/plain; a=secret' }, 'The header Content-Type names another media type.'],
    [{ 'content-type': 'application/vnd.api+json' }, 'The header Content-Type names another media type.'],
    [
      { 'content-type': 'application/json;charset=latin1' },
      /^The header Content-Type names a charset other than UTF-8/,
    ],
    [
      { 'content-type': 'application/json; secret' },
      /^The header Content-Type has a parameter that is not name=value/,
    ],
    [{ 'content-encoding': 'UTF-8' }, /^The header Content-Encoding names a charset/],
    [{ 'content-encoding': 'identity, ISO-8859-1' }, /^The header Content-Encoding names a charset/],
    [{ 'content-encoding': 'gzip' }, /^The header Content-Encoding names a compression/],
    [{ 'content-encoding': ['identity', 'br'] }, /^The header Content-Encoding names a compression/],
    [{ 'content-encoding': '' }, /^The header Content-Encoding is empty/],
    [
      { 'content-encoding': 'application/secret' },
      /^The header Content-Encoding names something other than identity/,
    ],
    [
      { 'content-type': 'text/plain', 'content-encoding': 'zstd' },
      /Content-Type names another media type\. The header Content-Encoding names a compression/,
    ],
  ] as [Record<string, string | string[]>, string | RegExp][])(
    '415 names the header and the problem of its value: %j',
    async (headers, problem) => {
      const { status, json } = await post({ ...HEADERS, ...headers });
      const { message } = WIRE_ERRORS.UNSUPPORTED_MEDIA_TYPE;
      expect([status, json.message.startsWith(`${message} `)]).toEqual([415, true]);
      expect(json.message.slice(message.length + 1)).toMatch(problem);
      expect(json.message).not.toContain('secret');
    },
  );

  it.each([
    ['missing', {}],
    ['empty', { 'idempotency-key': '' }],
    ['blank', { 'idempotency-key': '  ' }],
    ['two quotes', { 'idempotency-key': '""' }],
  ])('an Idempotency-Key that is %s: 422 IDEMPOTENCY_KEY_REQUIRED', async (_, header) => {
    const { status, json } = await post({ 'content-type': 'application/json', ...header });
    expect([status, json.error]).toEqual([422, 'IDEMPOTENCY_KEY_REQUIRED']);
  });

  it.each([
    ['no UUID', 'order-17', /^Must be one UUID v4, such as/],
    ['a UUID of another version', '9c6f3f0e-6c0e-1f5a-9d53-0a4b8f2f7a10', /^Must be one UUID v4, such as/],
    ['given twice', [UUID, UUID], /^Send this header once/],
    ['given twice and joined', `${UUID}, ${UUID}`, /^Must be one UUID v4, such as/],
    ['half in quotes', `"${UUID}`, /One pair of double quotes/],
    ['blank inside its quotes', `" ${UUID} "`, /One pair of double quotes/],
  ])('an Idempotency-Key that is %s: VALIDATION_ERROR on the header', async (_, value, message) => {
    const { status, json } = await post({ ...HEADERS, 'idempotency-key': value });
    expect([status, json.error]).toEqual([422, 'VALIDATION_ERROR']);
    const expected = { field: 'Idempotency-Key', code: 'invalid_format' };
    expect(json.details.errors).toEqual([{ ...expected, message: expect.stringMatching(message) }]);
  });

  it('checks the size, then the media type, then the key', async () => {
    expect((await post({ 'content-type': 'text/plain' }, BODY, 5)).status).toBe(413);
    expect((await post({ 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('checks the key before the fields, and leaves the fields to the use case', async () => {
    expect((await post({ 'content-type': 'application/json' }, '{')).json.error).toBe(
      'IDEMPOTENCY_KEY_REQUIRED',
    );
    const { asked } = await post(HEADERS, '{');
    expect(asked.submissions).toMatchObject([{ parsed: { kind: 'invalid' } }]);
  });

  it('does not submit a body that broke off', async () => {
    const { handler, asked } = createHandlerUnderTest();
    const request = neutralRequest('POST', '/api/v1/external/applications', { headers: HEADERS });
    const reply = await handler({ ...request, readBody: async () => 'broken_off' });
    expect(reply.status).toBe(422);
    expect(asked.submissions).toEqual([]);
  });
});
