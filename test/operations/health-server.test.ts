import { createFixture } from '@partner-hiring/test-support/fixture';
import { expect, onTestFinished, test } from 'vitest';
import { serveHealth } from '../../examples/operations/health-server.js';
import { freePort } from '../../examples/platform/database/embedded-postgres.js';

test('serves liveness and readiness as JSON, and nothing else', async () => {
  const { partnerHiring, close } = await createFixture();
  onTestFinished(close);
  const port = await freePort();
  onTestFinished(await serveHealth(partnerHiring, { host: '127.0.0.1', port }));
  const get = async (path: string) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`);
    return [reply.status, await reply.text()];
  };
  expect(await get('/livez')).toEqual([200, expect.stringContaining('"status":200')]);
  expect(await get('/readyz')).toEqual([200, expect.stringContaining('"storage":"up"')]);
  expect(await get('/other')).toEqual([404, '']);
  partnerHiring.stopSoon();
  expect(await get('/readyz')).toEqual([503, expect.stringContaining('The process is stopping.')]);
  expect(await get('/livez')).toEqual([200, expect.stringContaining('"isStopping":true')]);
});
