/** Stops real processes. The drain period ends when the test says so, so that no test depends on the machine's speed. */
import { request } from 'node:http';
import type { KeyId } from '@partner-hiring/core';
import { expect, onTestFinished, test } from 'vitest';
import { openLibrary, startHangingReceiver, storeDueEvent } from './hanging-receiver.js';
import { type Host, type Settings, startHost } from './start-host.js';

const JOBS = '/api/v1/external/jobs';

type Signal = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'shutdown';

function signalTo({ child }: Host, signal: Signal): void {
  if (signal === 'shutdown') child.send('shutdown');
  else child.kill(signal);
}

/** Sends a request on a connection of its own. Rejects if the connection is refused or breaks off. */
function get(host: Host, path: string): Promise<{ status: number; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    request(host.origin + path, { agent: false, headers: { connection: 'keep-alive' } }, (response) => {
      const { statusCode: status = 0, headers } = response;
      response.on('error', reject).on('end', () => resolve({ status, connection: headers.connection }));
      response.resume();
    })
      .on('error', reject)
      .end();
  });
}

const isRefused = (host: Host) =>
  get(host, '/readyz').then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ECONNREFUSED',
  );

test.each<[Settings['mount'], Signal]>([
  ['node', 'SIGTERM'],
  ['node', 'SIGHUP'],
  ['express', 'SIGINT'],
  ['fastify', 'shutdown'],
  ['nest', 'SIGTERM'],
])('in %s, answers traffic after %s, finishes requests, and closes in order', async (mount, signal) => {
  const host = await startHost({ mount });
  expect(await get(host, '/readyz')).toMatchObject({ status: 200, connection: 'keep-alive' });
  const slow = get(host, '/slow');
  await host.reached('slow');

  signalTo(host, signal);
  // npm and process managers pass Ctrl-C on.
  signalTo(host, 'SIGINT');
  await host.reached('draining');
  expect(await get(host, '/readyz')).toEqual({ status: 503, connection: 'close' });
  expect(await get(host, JOBS)).toEqual({ status: 401, connection: 'close' });

  host.child.send('drained');
  await expect.poll(() => isRefused(host), { interval: 10 }).toBe(true);
  expect(host.reports.map(({ step }) => step)).not.toContain('close');
  host.child.send('finish');
  expect(await slow).toMatchObject({ status: 200 });
  expect(await host.ended).toEqual([0, null]);
  expect(host.reports.at(-1)).toEqual({ step: 'close', isClosed: true, worker: 'stopped' });
  expect(host.printed()).toBe('');
});

test.each<[Signal, Signal, number]>([
  ['SIGTERM', 'SIGTERM', 143],
  ['shutdown', 'SIGINT', 130],
])('after %s, a second signal %s ends the process at once', async (first, second, code) => {
  const host = await startHost();
  signalTo(host, first);
  await host.reached('draining');
  // A signal within 100 ms of the first one is the same press of Ctrl-C.
  const again = setInterval(() => signalTo(host, second), 20);
  onTestFinished(() => clearInterval(again));
  expect(await host.ended).toEqual([code, null]);
  expect(host.printed()).toContain('A second signal ends the process at once.');
  expect(host.reports.map(({ step }) => step)).toEqual(['ready', 'draining']);
});

test.each(['node', 'nest'] as const)(
  'in %s, cuts off a request that hangs, and closes the rest in order',
  async (mount) => {
    const host = await startHost({ mount, times: { drainMs: 0, requestsMs: 100 } });
    const hanging = get(host, '/slow');
    await host.reached('slow');
    signalTo(host, 'SIGTERM');
    await expect(hanging).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await host.ended).toEqual([0, null]);
    expect(host.reports.at(-1)).toEqual({ step: 'close', isClosed: true, worker: 'stopped' });
    expect(host.printed()).toMatch(/connections were cut.*requestsMs/);
  },
);

test('ends with exit code 1 at the deadline', async () => {
  const host = await startHost({ hangs: true, times: { drainMs: 0, withinMs: 300 } });
  signalTo(host, 'SIGTERM');
  expect(await host.ended).toEqual([1, null]);
  expect(host.printed()).toMatch(/did not stop in time.*withinMs: 300/s);
});

test('records a delivery that is under way', async () => {
  const receiver = await startHangingReceiver();
  const { file, keyId } = await storeDueEvent(receiver.url);
  const host = await startHost({ file, times: { drainMs: 0 } });
  await receiver.requested;
  signalTo(host, 'SIGTERM');
  await expect.poll(() => isRefused(host), { interval: 10 }).toBe(true);
  receiver.answer();
  expect(await host.ended).toEqual([0, null]);
  expect(await readDeliveries(file, keyId)).toMatchObject([{ state: 'delivered', type: 'job.opened' }]);
});

async function readDeliveries(file: string, keyId: KeyId) {
  const partnerHiring = await openLibrary(file);
  const { items } = await partnerHiring.operator.deliveries.list({ keyId });
  await partnerHiring.close();
  return items;
}
