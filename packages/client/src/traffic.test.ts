import { all, clientOf, FOUND, reply } from '@partner-hiring/test-support/client/scripted-client';
import { createFakeClock, STORY_START } from '@partner-hiring/test-support/clock';
import { describe, expect, test } from 'vitest';
import { systemClock } from './clock.js';

describe('traffic', () => {
  test('lets no more than maxConcurrency out, and a long queue does not keep a short one waiting', async () => {
    let underWay = 0;
    let most = 0;
    const order: string[] = [];
    const client = clientOf(
      async (url) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setTimeout(resolve, 1));
        underWay -= 1;
        order.push(url);
        return url.includes('/jobs') ? reply(200, { data: [] }) : FOUND;
      },
      { maxConcurrency: 2, clock: systemClock },
    );
    const reads = Array.from({ length: 20 }, () => client.applications.get('ej_app_1'));
    await Promise.all([...reads, all(client.jobs.list())]);
    expect(most).toBe(2);
    expect(order.findIndex((url) => url.includes('/jobs'))).toBeLessThan(5);
  });

  test('goes on where a gateway says that the limit is nothing, as some do where there is none', async () => {
    const none = { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0' };
    const client = clientOf(async () => reply(200, { id: 'ej_app_1', jobId: 'job_1' }, none), {
      maxConcurrency: 1,
    });
    const reads = ['ej_app_1', 'ej_app_2', 'ej_app_3'].map((id) => client.applications.get(id));
    await expect(Promise.all(reads)).resolves.toHaveLength(3);
  });

  test('stays closed for as long as the longest of several 429s asks, whichever comes last', async () => {
    const clock = createFakeClock();
    const waits = ['10', '1'];
    const sentAfter: number[] = [];
    const client = clientOf(
      async () => {
        sentAfter.push(clock.now() - STORY_START);
        const [wait] = waits.splice(0, 1);
        return wait === undefined ? FOUND : reply(429, '', { 'retry-after': wait });
      },
      { clock },
    );
    const reads = ['ej_app_1', 'ej_app_2'].map((id) => client.applications.get(id));
    await clock.advance(0);
    await clock.advance(10_000);
    await Promise.all(reads);
    expect(sentAfter).toEqual([0, 0, 10_000, 10_000]);
  });

  test.each([{}, { 'retry-after': '0' }])(
    'asks ever more rarely, each minute in the end, where 429s do not say how long to wait: %j',
    async (headers) => {
      const clock = createFakeClock();
      const sentAfter: number[] = [];
      const client = clientOf(
        async () => {
          sentAfter.push((clock.now() - STORY_START) / 1_000);
          return reply(429, 'slow down', headers);
        },
        { clock, totalTimeoutMs: 300_000 },
      );
      const refused = expect(client.applications.get('ej_app_1')).rejects.toMatchObject({ code: 'HTTP_429' });
      await clock.advance(0);
      for (let second = 1; second <= 300; second += 1) await clock.advance(1_000);
      await refused;
      expect(sentAfter).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    },
  );

  test('asks as rarely while several are throttled together, and anew once something was answered', async () => {
    const clock = createFakeClock();
    const answers = [429, 429, 429, 429, 200, 200, 429, 200];
    const sentAfter: number[] = [];
    const client = clientOf(
      async () => {
        sentAfter.push(clock.now() - STORY_START);
        return reply(answers.shift() ?? 404, { id: 'ej_app_1', jobId: 'job_1' });
      },
      { clock },
    );
    const read = () => client.applications.get('ej_app_1');
    const both = [read(), read()];
    for (let second = 0; second <= 3; second += 1) await clock.advance(second === 0 ? 0 : 1_000);
    await Promise.all(both);
    const third = read();
    await clock.advance(0);
    await clock.advance(1_000);
    await third;
    expect(sentAfter).toEqual([0, 0, 1_000, 1_000, 3_000, 3_000, 3_000, 4_000]);
  });
});
