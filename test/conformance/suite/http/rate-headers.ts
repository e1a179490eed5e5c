import { describe, expect, it } from 'vitest';
import { freshWindow } from '../fresh-window.js';
import { BASE, candidateFor, createCaller } from './caller.js';
import type { HttpUnderTest } from './fixture.js';
import { useFixture } from './fixture.js';
import type { RequestParts } from './raw-connection.js';
import { headerOf } from './raw-connection.js';

const UUID = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';

/** Contract: 8.6. */
export function describeRateHeaders(underTest: HttpUnderTest): void {
  describe('every response', () => {
    const fixture = useFixture(underTest, { maxBodyBytes: 2_000 });

    it('includes the limit, the remaining requests, the reset time and its id', async () => {
      const { authorization, submission, jobId } = await createCaller(fixture);
      const get = (path: string): RequestParts => ({ target: BASE + path, fields: [authorization] });
      const responses: readonly (readonly [RequestParts, number, string])[] = [
        [get('/jobs'), 200, '60'],
        [get('/jobs?limit=0'), 422, '60'],
        [get('/applications'), 200, '60'],
        [get('/applications/none'), 404, '120'],
        [get('/nothing'), 404, '300'],
        [get(''), 404, '300'],
        [{ ...get('/jobs'), method: 'HEAD' }, 200, '60'],
        [{ ...get('/jobs'), method: 'PUT' }, 405, '300'],
        [{ target: `${BASE}/jobs` }, 401, '120'],
        [submission(candidateFor(jobId), ['Idempotency-Key', UUID]), 201, '10'],
        // A replayed submission counts only against the guard, the limit of 300 per minute.
        [submission(candidateFor(jobId), ['Idempotency-Key', UUID]), 201, '300'],
        [submission('{', ['Idempotency-Key', UUID]), 422, '300'],
        [submission('{}'), 422, '300'],
        [submission(' '.repeat(2_001), ['Idempotency-Key', UUID]), 413, '300'],
      ];
      await freshWindow(fixture.storage.storage);
      const seen = new Set<string | null>();
      for (const [parts, status, limit] of responses) {
        const response = await fixture.ask(parts);
        expect([parts.target, response.status]).toEqual([parts.target, status]);
        expect([parts.target, headerOf(response, 'X-RateLimit-Limit')]).toEqual([parts.target, limit]);
        expect(Number(headerOf(response, 'X-RateLimit-Remaining'))).toBeLessThan(Number(limit));
        expect(headerOf(response, 'X-RateLimit-Reset')).toMatch(/^\d{10}$/);
        seen.add(headerOf(response, 'X-Request-Id'));
      }
      expect(seen.size).toBe(responses.length);
      expect(seen.has(null)).toBe(false);
    });

    it('decrements the remaining requests', async () => {
      const { get } = await createCaller(fixture);
      await freshWindow(fixture.storage.storage);
      const left: (string | null)[] = [];
      for (let count = 0; count < 3; count += 1) {
        left.push(headerOf(await get('/applications'), 'X-RateLimit-Remaining'));
      }
      expect(left).toEqual(['59', '58', '57']);
    });
  });
}
