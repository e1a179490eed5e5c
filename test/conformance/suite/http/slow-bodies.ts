import { describe, expect, it } from 'vitest';
import { BASE, candidateFor, createCaller } from './caller.js';
import type { HttpUnderTest } from './fixture.js';
import { useFixture } from './fixture.js';
import { buildRequest, chunked, type Field, headerOf, jsonOf } from './raw-connection.js';

const BODY_TIMEOUT_MS = 300;
/**
 * A server discards the rest of a body for at most five seconds before it closes the connection. Two more
 * seconds are tolerance.
 */
const CLOSED_WITHIN_MS = 5_000 + 2_000;
const KEY: Field = ['Idempotency-Key', '3f0a2c57-5f1e-4a0b-8f0d-7a1d2c9e4b11'];
const CHUNKED: Field = ['Transfer-Encoding', 'chunked'];
const LENGTH: Field = ['Content-Length', '100000'];

export function describeSlowBodies(underTest: HttpUnderTest): void {
  describe('bodies of a key over its limit', () => {
    const fixture = useFixture(underTest, { limits: { guard: 1 } });

    async function createExhausted() {
      const caller = await createCaller(fixture);
      for (const _ of [1, 2]) await caller.get('/nothing');
      return caller;
    }

    it('get 429 before they arrive, and a connection that keeps sending is closed', async () => {
      const { submission } = await createExhausted();
      const connection = await fixture.connect();
      connection.write(buildRequest(submission('', KEY, ['Content-Length', String(2 ** 30)])));
      expect(fixture.check(await connection.read()).status).toBe(429);
      const pour = setInterval(() => connection.write(' '.repeat(100_000)), 5);
      await closedWithin(connection.closed, CLOSED_WITHIN_MS).finally(() => clearInterval(pour));
    });

    it('that have arrived get 429, and the connection stays open', async () => {
      const { submission, authorization, jobId } = await createExhausted();
      const connection = await fixture.connect();
      connection.write(buildRequest(submission(candidateFor(jobId), KEY)));
      expect(fixture.check(await connection.read()).status).toBe(429);
      connection.write(buildRequest({ target: `${BASE}/jobs`, fields: [authorization] }));
      expect(fixture.check(await connection.read()).status).toBe(200);
      connection.destroy();
    });
  });

  // Each of these tests waits. They wait together.
  describe.concurrent('slow bodies', () => {
    const fixture = useFixture(underTest, { bodyTimeoutMs: BODY_TIMEOUT_MS });

    it.each([
      ['with a length', LENGTH, '{'],
      ['in chunks', CHUNKED, chunked('{').replace(/0\r\n\r\n$/, '')],
    ] as const)(
      'returns 503 at the deadline for a stalled body, %s, closes the connection and submits nothing',
      async (_, field, sent) => {
        const { submission, get } = await createCaller(fixture);
        const connection = await fixture.connect();
        const startedAt = performance.now();
        connection.write(buildRequest(submission(sent, KEY, field)));
        const response = fixture.check(await connection.read());
        expect(performance.now() - startedAt).toBeGreaterThanOrEqual(BODY_TIMEOUT_MS - 50);
        expect([response.status, jsonOf(response).error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
        expect(headerOf(response, 'Retry-After')).toBe('5');
        await closedWithin(connection.closed, CLOSED_WITHIN_MS);
        expect(jsonOf(await get('/applications')).data).toEqual([]);
      },
    );

    it('returns 503 for a body that arrives byte by byte beyond the deadline', async () => {
      const { submission } = await createCaller(fixture);
      const connection = await fixture.connect();
      connection.write(buildRequest(submission('', KEY, LENGTH)));
      const drip = setInterval(() => connection.write(' '), 20);
      const response = await connection.read().finally(() => clearInterval(drip));
      expect(fixture.check(response).status).toBe(503);
      connection.destroy();
    });
  });
}

async function closedWithin(closed: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<'open'>((resolve) => {
    timer = setTimeout(() => resolve('open'), ms);
  });
  const end = await Promise.race([closed.then(() => 'closed'), isLate]);
  clearTimeout(timer);
  expect(end).toBe('closed');
}
