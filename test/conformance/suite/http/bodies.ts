import { describe, expect, it } from 'vitest';
import { BASE, candidateFor, createCaller } from './caller.js';
import type { HttpUnderTest } from './fixture.js';
import { useFixture } from './fixture.js';
import { buildRequest, chunked, type Field, headerOf, jsonOf, type RawResponse } from './raw-connection.js';

const MAX_BODY_BYTES = 2_000;
const KEY: Field = ['Idempotency-Key', '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10'];
const CHUNKED: Field = ['Transfer-Encoding', 'chunked'];

/** A body that is larger than the default limits of the frameworks. */
const LARGE_BODY_BYTES = 3 * 1024 * 1024;

export function describeBodies(underTest: HttpUnderTest): void {
  describe('bodies', () => {
    const fixture = useFixture(underTest, { maxBodyBytes: MAX_BODY_BYTES });
    const codes = (response: RawResponse) =>
      (jsonOf(response).details as { errors: { code: string }[] }).errors.map(({ code }) => code);

    it.each([
      ['broken off', '{"jobId": "job_'],
      ['no JSON', 'jobId=1'],
      ['two values', '{} {}'],
      ['a byte order mark', '\ufeff{}'],
      ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      ['nested too deep', '['.repeat(40) + ']'.repeat(40)],
      ['empty', ''],
    ])('are 422 invalid_json if they are malformed (%s)', async (_, body) => {
      const { submit } = await createCaller(fixture);
      const response = await submit(body);
      expect([response.status, codes(response)]).toEqual([422, ['invalid_json']]);
    });

    it.each([
      ['none at all', []],
      ['Content-Length: 0', [['Content-Length', '0']]],
    ] as [string, readonly Field[]][])('%s is 422 invalid_json', async (_, fields) => {
      const { submission } = await createCaller(fixture);
      const { body, ...bare } = submission('', KEY, ...fields);
      const response = await fixture.ask(bare);
      expect([response.status, codes(response)]).toEqual([422, ['invalid_json']]);
    });

    it('returns 422 invalid_json for an empty chunked body', async () => {
      const { submission } = await createCaller(fixture);
      const response = await fixture.ask(submission(chunked(), KEY, CHUNKED));
      expect([response.status, codes(response)]).toEqual([422, ['invalid_json']]);
    });

    it('accepts a body that pauses', async () => {
      const { submission, jobId } = await createCaller(fixture);
      const body = candidateFor(jobId);
      const connection = await fixture.connect();
      const bytes = buildRequest(submission(body, KEY));
      connection.write(bytes.subarray(0, -10));
      await new Promise((resolve) => setTimeout(resolve, 50));
      connection.write(bytes.subarray(-10));
      expect(fixture.check(await connection.read()).status).toBe(201);
      connection.destroy();
    });

    it('reads the same bytes regardless of chunks', async () => {
      const { submission, jobId, submit } = await createCaller(fixture);
      const body = candidateFor(jobId);
      const halves = [body.slice(0, 9), body.slice(9)];
      const response = await fixture.ask(submission(chunked(...halves), KEY, CHUNKED));
      expect(response.status).toBe(201);
      const again = await submit(body, KEY[1]);
      expect(headerOf(again, 'Idempotent-Replayed')).toBe('true');
      expect(again.body).toEqual(response.body);
    });

    it('reads head and body byte by byte', async () => {
      const { submission, jobId } = await createCaller(fixture);
      const connection = await fixture.connect();
      const bytes = buildRequest(submission(candidateFor(jobId), KEY));
      await connection.writePieces(Array.from(bytes, (byte) => Uint8Array.of(byte)));
      expect(fixture.check(await connection.read()).status).toBe(201);
      connection.destroy();
    });

    it('treats equal JSON in other bytes as another body', async () => {
      const { submit, jobId } = await createCaller(fixture);
      const body = candidateFor(jobId);
      await submit(body, KEY[1]);
      for (const other of [`${body}\n`, ` ${body}`, body.replace('ë', '\\u00eb')]) {
        const response = await submit(other, KEY[1]);
        expect([response.status, jsonOf(response).error]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
        expect(jsonOf(response).details).toEqual({ sameJson: true });
      }
    });

    it('accepts the largest allowed body and returns 413 for one byte more', async () => {
      const { submit, jobId } = await createCaller(fixture);
      const body = candidateFor(jobId);
      const padded = body + ' '.repeat(MAX_BODY_BYTES - Buffer.byteLength(body));
      expect((await submit(padded)).status).toBe(201);
      expect((await submit(`${padded} `)).status).toBe(413);
    });

    it('returns 413 and keeps the connection', async () => {
      const { submission, authorization } = await createCaller(fixture);
      const connection = await fixture.connect();
      connection.write(buildRequest(submission('x'.repeat(20_000), KEY)));
      expect(fixture.check(await connection.read()).status).toBe(413);
      connection.write(buildRequest({ target: `${BASE}/jobs`, fields: [authorization] }));
      expect(fixture.check(await connection.read()).status).toBe(200);
      connection.destroy();
    });

    it('returns 413 before the end of a chunked body, and keeps or closes the connection', async () => {
      const { submission, authorization } = await createCaller(fixture);
      const connection = await fixture.connect();
      const end = '0\r\n\r\n';
      const endless = chunked('x'.repeat(100_000), 'x'.repeat(100_000)).slice(0, -end.length);
      connection.write(buildRequest(submission(endless, KEY, CHUNKED)));
      expect(fixture.check(await connection.read()).status).toBe(413);
      connection.write(end);
      connection.write(buildRequest({ target: `${BASE}/jobs`, fields: [authorization] }));
      const next = connection.read().then(
        ({ status }) => String(status),
        (error: Error) => error.message,
      );
      expect(await next).toMatch(/^(?:200|The connection was closed)/);
      connection.destroy();
    });

    it('returns 401 before an unauthenticated body arrives', async () => {
      const connection = await fixture.connect();
      const fields: readonly Field[] = [['Content-Length', '1000']];
      connection.write(buildRequest({ method: 'POST', target: `${BASE}/applications`, fields }));
      expect(fixture.check(await connection.read()).status).toBe(401);
      connection.destroy();
    });

    it('ignores the body of a GET', async () => {
      const { authorization } = await createCaller(fixture);
      const connection = await fixture.connect();
      const target = `${BASE}/jobs`;
      connection.write(buildRequest({ target, fields: [authorization], body: '{"limit":0}' }));
      connection.write(buildRequest({ target, fields: [authorization] }));
      expect(fixture.check(await connection.read()).status).toBe(200);
      expect(fixture.check(await connection.read()).status).toBe(200);
      connection.destroy();
    });

    it('submits nothing if the client disconnects, and the server keeps running', async () => {
      const { submission, jobId, get } = await createCaller(fixture);
      const body = candidateFor(jobId);
      for (const fields of [[['Content-Length', '1900']], [CHUNKED]] as const) {
        const connection = await fixture.connect();
        const sent = fields[0] === CHUNKED ? chunked(body).replace(/0\r\n\r\n$/, '') : body;
        connection.write(buildRequest(submission(sent, KEY, ...fields)));
        await new Promise((resolve) => setTimeout(resolve, 20));
        connection.destroy();
        await connection.closed;
      }
      const listed = await get('/applications');
      expect([listed.status, jsonOf(listed).data]).toEqual([200, []]);
    });
  });

  describe('large bodies that the host allows', () => {
    const fixture = useFixture(underTest, { maxBodyBytes: LARGE_BODY_BYTES });

    it('are read completely', async () => {
      const { submit, submission, jobId } = await createCaller(fixture);
      const body = candidateFor(jobId);
      const filled = body + ' '.repeat(LARGE_BODY_BYTES - Buffer.byteLength(body));
      expect((await submit(filled, KEY[1])).status).toBe(201);
      const again = await fixture.ask(
        submission(chunked(filled.slice(0, 99), filled.slice(99)), KEY, CHUNKED),
      );
      expect(headerOf(again, 'Idempotent-Replayed')).toBe('true');
      const other = await submit(`${filled.slice(0, -1)}\n`, KEY[1]);
      expect([other.status, jsonOf(other).error]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect((await submit(`${filled} `)).status).toBe(413);
    });
  });
}
