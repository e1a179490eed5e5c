import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeJsonHost } from './json-host.js';

describeJsonHost([fileURLToPath(new URL('../../examples/existing-platform', import.meta.url))], (get) => {
  it('answers probes and Prometheus, and shows the console to staff alone', async () => {
    const ready = await get('/readyz');
    expect([ready.status, await ready.json()]).toMatchObject([200, { storage: 'up', worker: 'running' }]);
    const metrics = await (await get('/metrics')).text();
    expect(metrics).toContain('partner_hiring_inbox_received_total');
    const headers = { accept: 'text/html', cookie: 'staff=rosa' };
    expect([(await get('/console', headers)).status, (await get('/console')).status]).toEqual([200, 404]);
  });
});
