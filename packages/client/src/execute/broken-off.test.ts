import { clientOf, FOUND, reply } from '@partner-hiring/test-support/client/scripted-client';
import { createFakeClock, settle } from '@partner-hiring/test-support/clock';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../clock.js';
import { type ClientOptions, type Fetch, type FetchResponse, PartnerConnectionError } from '../index.js';

describe('a request', () => {
  test.each<[string, () => Promise<FetchResponse>]>([
    ['headers', () => new Promise(() => {})],
    ['a body', async () => ({ ...reply(200, ''), text: () => new Promise<string>(() => {}) })],
  ])(
    'does not wait for %s longer than timeoutMs, also where fetch does not heed its signal',
    async (_, fetch) => {
      const failures: unknown[] = [];
      const onAttempt: ClientOptions['onAttempt'] = ({ failure }) => failures.push(failure);
      const error = await clientOf(fetch, { maxAttempts: 2, onAttempt })
        .applications.get('ej_app_1')
        .catch((e: unknown) => e);
      expect(error).toBeInstanceOf(PartnerConnectionError);
      expect(error).toMatchObject({ reason: 'timeout', message: 'No answer within timeoutMs.' });
      expect(failures).toEqual(['timeout', 'timeout']);
    },
  );

  test.each(['waits', 'is on its way'])(
    'ends at once when its signal aborts while it %s, and throws the reason',
    async (when) => {
      const ending = new AbortController();
      const end = () => ending.abort(new Error('no longer wanted'));
      const fetch: Fetch = () => {
        queueMicrotask(end);
        return new Promise(() => {});
      };
      const client = clientOf(fetch, { clock: systemClock, timeoutMs: 120_000 });
      const aborted = client.applications.get('ej_app_1', { signal: ending.signal });
      if (when === 'waits') end();
      await expect(aborted).rejects.toThrow('no longer wanted');
    },
  );

  test('that is aborted on its way leaves its place to the next', async () => {
    const ending = new AbortController();
    let requests = 0;
    const fetch: Fetch = () => {
      requests += 1;
      return requests === 1 ? new Promise(() => {}) : Promise.resolve(FOUND);
    };
    const client = clientOf(fetch, { clock: createFakeClock(), maxConcurrency: 1 });
    const aborted = client.applications.get('ej_app_1', { signal: ending.signal }).catch((e: unknown) => e);
    const next = client.applications.get('ej_app_1');
    await settle();
    expect(requests).toBe(1);
    ending.abort('no longer wanted');
    expect(await aborted).toBe('no longer wanted');
    expect(await next).toMatchObject({ id: 'ej_app_1' });
  });

  test('ends in the midst of a pause when its signal aborts, and is not sent again', async () => {
    const clock = createFakeClock();
    const ending = new AbortController();
    let requests = 0;
    const client = clientOf(
      async () => {
        requests += 1;
        return reply(503, '', { 'retry-after': '60' });
      },
      { clock },
    );
    const ended = client.applications.get('ej_app_1', { signal: ending.signal }).catch((e: unknown) => e);
    await clock.advance(1_000);
    ending.abort('no longer wanted');
    expect(await ended).toBe('no longer wanted');
    expect(requests).toBe(1);
  });
});
