import { clientOf, FOUND, reply } from '@partner-hiring/test-support/client/scripted-client';
import { describe, expect, onTestFinished, test } from 'vitest';

describe('a request', () => {
  test.each<[string, () => void]>([
    [
      'throws',
      () => {
        throw new Error('The metrics are down.');
      },
    ],
    ['is asynchronous and rejects', () => Promise.reject(new Error('The metrics are down.'))],
  ])('loses a report, and nothing else, where an onAttempt %s', async (_, onAttempt) => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    let requests = 0;
    const client = clientOf(
      async () => {
        requests += 1;
        return requests === 1 ? reply(503, '') : FOUND;
      },
      { onAttempt },
    );
    expect(await client.applications.get('ej_app_1')).toMatchObject({ id: 'ej_app_1' });
    // Node tells of a rejection that nobody handles once all microtasks have run.
    await new Promise((resolve) => setImmediate(resolve));
    expect([requests, unhandled]).toEqual([2, []]);
  });
});
