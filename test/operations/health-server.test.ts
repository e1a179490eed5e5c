import { expect, onTestFinished, test } from 'vitest';
import { type HealthOptions, serveHealth } from '../../examples/operations/health-server.js';

async function serve(check: HealthOptions['check'], checkMs?: number) {
  const limit = checkMs === undefined ? {} : { checkMs };
  const health = await serveHealth({ host: '127.0.0.1', port: 0, check, ...limit });
  onTestFinished(() => health.close());
  const get = async (path: string) => {
    const reply = await fetch(`http://127.0.0.1:${health.port}${path}`);
    return [reply.status, await reply.text()];
  };
  return { health, get };
}

test('is alive and ready while the check succeeds', async () => {
  const { get } = await serve(async () => {});
  expect(await get('/livez')).toEqual([200, 'ok\n']);
  expect(await get('/readyz')).toEqual([200, 'ok\n']);
  expect(await get('/other')).toEqual([404, 'Not found.\n']);
});

test('is not ready while the check fails, but alive, and recovers', async () => {
  let isAway = true;
  const { get } = await serve(async () => {
    if (isAway) throw new Error('The database is away.');
  });
  expect(await get('/readyz')).toEqual([503, 'The database is away.\n']);
  expect(await get('/livez')).toEqual([200, 'ok\n']);
  isAway = false;
  expect(await get('/readyz')).toEqual([200, 'ok\n']);
});

test('is not ready if the check takes too long, and runs one check for all probes', async () => {
  let runs = 0;
  const { get } = await serve(() => {
    runs += 1;
    return new Promise(() => {});
  }, 50);
  const late = [503, 'The check took more than 50 ms.\n'];
  expect(await Promise.all([get('/readyz'), get('/readyz')])).toEqual([late, late]);
  expect(await get('/readyz')).toEqual(late);
  expect(runs).toBe(1);
});

test('is not ready while it stops', async () => {
  const { get, health } = await serve(async () => {});
  health.drain();
  expect(await get('/readyz')).toEqual([503, 'The process is stopping.\n']);
  expect(await get('/livez')).toEqual([200, 'ok\n']);
});
