import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { candidateFor, createCaller } from './caller.js';
import { useFixture } from './fixture.js';
import type { HttpUnderTest } from './http-under-test.js';
import { headerOf, jsonOf } from './raw-response.js';

/** Unusual but harmless input, as partners send it. */
export function describeSentInput(underTest: HttpUnderTest): void {
  describe('what partners send', () => {
    const fixture = useFixture(underTest);

    it('an Idempotency-Key with and without quotes replays the same bytes (decision 12)', async () => {
      const { submit, jobId } = await createCaller(fixture);
      const [key, body] = [randomUUID(), candidateFor(jobId)];
      const first = await submit(body, `"${key}"`);
      expect(first.status).toBe(201);
      for (const again of [key, `"${key.toUpperCase()}"`, `"${key}"`]) {
        const response = await submit(body, again);
        expect([response.status, response.body]).toEqual([201, first.body]);
        expect(headerOf(response, 'Idempotent-Replayed')).toBe('true');
      }
      const other = await submit(`${body} `, `"${key}"`);
      expect([other.status, jsonOf(other).error]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    });

    it('an updated_since without a colon in its offset (decision 8)', async () => {
      const { get } = await createCaller(fixture);
      const updatedAt = Date.parse(String(headerOf(await get('/jobs'), 'X-Updated-Through')));
      const listed = async (at: number, offset: string, minutes: number) => {
        const local = new Date(at + minutes * 60_000).toISOString().slice(0, -1);
        const response = await get(`/jobs?updated_since=${local}${offset}`);
        return [response.status, (jsonOf(response).data as unknown[] | undefined)?.length];
      };
      const offsets = [
        ['%2B0530', 330],
        ['+0530', 330],
        ['-0800', -480],
        ['-08', -480],
        ['%2B00', 0],
      ] as const;
      for (const [offset, minutes] of offsets) {
        const lengths = [
          await listed(updatedAt - 1, offset, minutes),
          await listed(updatedAt, offset, minutes),
        ];
        expect([offset, lengths]).toEqual([
          offset,
          [
            [200, 1],
            [200, 0],
          ],
        ]);
      }
    });
  });
}
