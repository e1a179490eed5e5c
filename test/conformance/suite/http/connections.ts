import { describe, expect, it } from 'vitest';
import { BASE, candidateFor, createCaller } from './caller.js';
import type { HttpUnderTest } from './fixture.js';
import { useFixture } from './fixture.js';
import { buildRequest, headerOf, jsonOf } from './raw-connection.js';

const UUID = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';

export function describeConnections(underTest: HttpUnderTest): void {
  describe('connections', () => {
    const fixture = useFixture(underTest);

    it('answers pipelined requests in order', async () => {
      const { authorization, submission, jobId } = await createCaller(fixture);
      const get = (path: string) => buildRequest({ target: BASE + path, fields: [authorization] });
      const connection = await fixture.connect();
      connection.write(
        Buffer.concat([
          buildRequest(submission(candidateFor(jobId), ['Idempotency-Key', UUID])),
          get('/nothing'),
          buildRequest(submission('{', ['Idempotency-Key', UUID.replace('9', '8')])),
          get('/jobs'),
          buildRequest({ target: `${BASE}/jobs` }),
        ]),
      );
      const statuses: number[] = [];
      for (let count = 0; count < 5; count += 1) {
        statuses.push(fixture.check(await connection.read()).status);
      }
      expect(statuses).toEqual([201, 404, 422, 200, 401]);
      connection.destroy();
    });

    it('keeps the connection after a rejected request', async () => {
      const { authorization, submission } = await createCaller(fixture);
      const connection = await fixture.connect();
      for (const [parts, status] of [
        [{ target: `${BASE}/jobs` }, 401],
        [{ method: 'POST', target: `${BASE}/applications`, body: '{"a":1}' }, 401],
        [{ method: 'PATCH', target: `${BASE}/jobs`, fields: [authorization], body: '{"a":1}' }, 405],
        [submission('{"a":1}'), 422],
        [{ target: `${BASE}/jobs`, fields: [authorization] }, 200],
      ] as const) {
        connection.write(buildRequest(parts));
        expect(fixture.check(await connection.read()).status).toBe(status);
      }
      connection.destroy();
    });

    it('creates one application for one submission over many connections, with equal replies', async () => {
      const { submit, jobId, get } = await createCaller(fixture);
      const body = candidateFor(jobId);
      const responses = await Promise.all(Array.from({ length: 8 }, () => submit(body, UUID)));
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
      expect(new Set(responses.map((response) => response.body.toString())).size).toBe(1);
      const replayed = responses.filter((response) => headerOf(response, 'Idempotent-Replayed') === 'true');
      expect(replayed).toHaveLength(7);
      expect(jsonOf(await get('/applications')).data).toHaveLength(1);
    });
  });
}
