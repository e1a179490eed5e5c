import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BASE, candidateFor, createCaller } from './caller.js';
import type { HttpUnderTest } from './fixture.js';
import { useFixture } from './fixture.js';
import { buildRequest, type Field, headerOf, jsonOf } from './raw-connection.js';

const JSON_TYPE: Field = ['Content-Type', 'application/json'];
const UUID = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';

export function describeRequestHeads(underTest: HttpUnderTest): void {
  describe('header fields', () => {
    const fixture = useFixture(underTest);

    it('are accepted in any letter case', async () => {
      const { authorization, jobId } = await createCaller(fixture);
      const fields: readonly Field[] = [
        ['aUTHORIZATION', authorization[1]],
        ['CONTENT-TYPE', 'Application/JSON; Charset=UTF-8'],
        ['idempotency-key', UUID.toUpperCase()],
      ];
      const body = candidateFor(jobId);
      const response = await fixture.ask({ method: 'POST', target: `${BASE}/applications`, fields, body });
      expect(response.status).toBe(201);
    });

    it('are accepted with white space around their values', async () => {
      const { authorization } = await createCaller(fixture);
      const fields: readonly Field[] = [['Authorization', `  ${authorization[1]}\t `]];
      expect((await fixture.ask({ target: `${BASE}/jobs`, fields })).status).toBe(200);
    });

    const { ask } = fixture;
    it.each([
      ['none', () => []],
      ['junk', () => [['Authorization', 'Bearer junk']]],
      ['another scheme', ([name, value]) => [[name, value.replace('Bearer', 'Basic')]]],
      ['the same twice', (field) => [field, field]],
      ['a valid one after another', (field) => [['authorization', 'Bearer junk'], field]],
      ['a valid one before another', (field) => [field, ['authorization', 'Bearer junk']]],
    ] as [string, (authorization: Field) => readonly Field[]][])(
      'return the same 401 for an Authorization header with %s',
      async (_, fieldsFor) => {
        const { authorization } = await createCaller(fixture);
        const plain = await ask({ target: `${BASE}/jobs` });
        const response = await ask({ target: `${BASE}/nothing`, fields: fieldsFor(authorization) });
        expect(response.status).toBe(401);
        expect(response.body).toEqual(plain.body);
      },
    );

    it.each([
      ['twice', [UUID, UUID], 'VALIDATION_ERROR'],
      ['two of them', [UUID, UUID.replace('9', '8')], 'VALIDATION_ERROR'],
      ['no UUID v4', ['not-a-uuid'], 'VALIDATION_ERROR'],
      ['empty', [''], 'IDEMPOTENCY_KEY_REQUIRED'],
      ['two quotes', ['""'], 'IDEMPOTENCY_KEY_REQUIRED'],
      ['one quote', [`"${UUID}`], 'VALIDATION_ERROR'],
      ['white space in quotes', [`"${UUID} "`], 'VALIDATION_ERROR'],
    ])('get 422 for an Idempotency-Key with %s', async (_, keys, code) => {
      const { submission, jobId } = await createCaller(fixture);
      const fields = keys.map((key): Field => ['Idempotency-Key', key]);
      const response = await fixture.ask(submission(candidateFor(jobId), ...fields));
      expect([response.status, jsonOf(response).error]).toEqual([422, code]);
    });

    it.each([
      ['none', [], 'Content-Type is missing'],
      [
        'of another type',
        [['Content-Type', 'application/x-www-form-urlencoded']],
        'names another media type',
      ],
      ['of a JSON dialect', [['Content-Type', 'application/vnd.api+json']], 'names another media type'],
      ['in another encoding', [['Content-Type', 'application/json; charset=latin1']], 'a charset other than'],
      ['that is broken', [['Content-Type', ';;;']], 'Content-Type names another media type'],
      [
        'of a compressed body',
        [JSON_TYPE, ['Content-Encoding', 'gzip']],
        'Content-Encoding names a compression',
      ],
      ['beside a charset', [JSON_TYPE, ['Content-Encoding', 'UTF-8']], 'Content-Encoding names a charset'],
    ] as [string, readonly Field[], string][])(
      'are refused with 415 for a Content-Type %s, and the message names the header',
      async (_, contentFields, problem) => {
        const { authorization, jobId } = await createCaller(fixture);
        const fields = [authorization, ['Idempotency-Key', UUID] as const, ...contentFields];
        const body = candidateFor(jobId);
        const response = await fixture.ask({ method: 'POST', target: `${BASE}/applications`, fields, body });
        expect([response.status, jsonOf(response).error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
        expect(jsonOf(response).message).toContain(problem);
      },
    );

    it.each(['us-ascii', '"US-ASCII"', 'ascii', "'utf-8'", 'UTF8'])(
      'are accepted for JSON in the character set %s (decision 5)',
      async (charset) => {
        const { authorization, jobId } = await createCaller(fixture);
        const type = ['Content-Type', `application/json; charset=${charset}`] as const;
        const fields = [authorization, ['Idempotency-Key', randomUUID()] as const, type];
        const body = candidateFor(jobId);
        const response = await fixture.ask({ method: 'POST', target: `${BASE}/applications`, fields, body });
        expect(response.status).toBe(201);
      },
    );

    it.each([
      ['another coding', ['Accept-Encoding', 'gzip, deflate, br']],
      ['another type', ['Accept', 'text/html']],
      ['another method', ['X-HTTP-Method-Override', 'DELETE']],
      ['a part', ['Range', 'bytes=0-3']],
      ['only what has changed', ['If-None-Match', '*']],
      ['only what has changed since', ['If-Modified-Since', 'Fri, 31 Dec 2100 00:00:00 GMT']],
    ] as [string, Field][])('that ask for %s change nothing', async (_, field) => {
      const { authorization, submission, jobId, get } = await createCaller(fixture);
      const plain = await get('/jobs');
      const response = await fixture.ask({ target: `${BASE}/jobs`, fields: [authorization, field] });
      expect([response.status, response.body]).toEqual([200, plain.body]);
      const submitted = submission(candidateFor(jobId), ['Idempotency-Key', UUID], field);
      const [first, again] = [await fixture.ask(submitted), await fixture.ask(submitted)];
      expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    });

    it.each(['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'X-Client-IP', 'CF-Connecting-IP'])(
      'do not let %s choose the address for counting failures',
      async (name) => {
        const plain = await ask({ target: `${BASE}/jobs` });
        const value = name === 'Forwarded' ? 'for=203.0.113.7' : '203.0.113.7';
        const forged = await ask({ target: `${BASE}/jobs`, fields: [[name, value]] });
        expect([plain.status, forged.status]).toEqual([401, 401]);
        expect(fixture.addressOf(forged)).toBe(fixture.addressOf(plain));
      },
    );

    it('get 100 Continue before the body for Expect: 100-continue', async () => {
      const { submission, jobId } = await createCaller(fixture);
      const body = candidateFor(jobId);
      const fields: readonly Field[] = [
        ['Idempotency-Key', UUID],
        ['Expect', '100-continue'],
        ['Content-Length', String(Buffer.byteLength(body))],
      ];
      const connection = await fixture.connect();
      connection.write(buildRequest(submission('', ...fields)));
      expect((await connection.read()).status).toBe(100);
      connection.write(body);
      expect(fixture.check(await connection.read()).status).toBe(201);
      connection.destroy();
    });

    it('answer an HTTP/1.0 client and close the connection', async () => {
      const { authorization } = await createCaller(fixture);
      const connection = await fixture.connect();
      connection.write(`GET ${BASE}/jobs HTTP/1.0\r\n${authorization.join(': ')}\r\n\r\n`);
      const response = fixture.check(await connection.read());
      expect(response.status).toBe(200);
      expect(headerOf(response, 'Transfer-Encoding')).toBeNull();
      await connection.closed;
    });
  });
}
