import { describe, expect, test } from 'vitest';
import { all, clientOf, reply } from '../../../test/support/scripted-client.js';
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
        return url.includes('/jobs')
          ? reply(200, { data: [] })
          : reply(200, { id: 'ej_app_1', jobId: 'job_1' });
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
});
