import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from './free-port.js';
import { startOutside } from './start-outside.js';

it('serves the API in Koa, and leaves all other paths to the host', { timeout: 300_000 }, async () => {
  const PORT = String(await freePort());
  const host = await startOutside([fileURLToPath(new URL('hosts/koa', import.meta.url))], {
    PORT,
    PARTNER_HIRING_SEALING_KEY: randomBytes(32).toString('base64'),
  });
  onTestFinished(() => host.stop());
  const [, key = ''] = await host.waitFor(/API key (\S+)/);
  const origin = `http://127.0.0.1:${PORT}`;
  const status = async (path: string, headers = {}) => (await fetch(origin + path, { headers })).status;
  await expect.poll(() => status('/own').catch(() => 0), { timeout: 10_000 }).toBe(200);
  expect(await (await fetch(`${origin}/own`)).text()).toBe('own');
  expect(await status('/nothing')).toBe(404);
  const api = `${origin}/api/v1/external`;
  const authorization = `Bearer ${key}`;
  expect(await status('/api/v1/external/jobs', { authorization })).toBe(200);
  expect(await status('/api/v1/external/jobs')).toBe(401);
  const headers = {
    authorization,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  };
  const refused = await fetch(`${api}/applications`, { method: 'POST', headers, body: '{"jobId":' });
  expect([refused.status, await refused.json()]).toMatchObject([422, { error: 'VALIDATION_ERROR' }]);
});
