import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { partnerWebhooksExpress } from './express/index.js';
import { partnerWebhooksFetch } from './fetch/index.js';

const SECRET = `whsec_${'a'.repeat(43)}`;
const HALF = Buffer.from('{"id":"evt_1",');

function useTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

it('refuses a Request whose body has not ended after 30 seconds, and stops reading', async () => {
  useTimers();
  let isCancelled = false;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(HALF),
    cancel: () => {
      isCancelled = true;
    },
  });
  const receive = partnerWebhooksFetch({ secret: SECRET, onEvent: () => {}, onRefused: () => {} });
  const init: RequestInit = { method: 'POST', body, duplex: 'half' };
  const answer = receive(new Request('https://ats.example/webhooks', init));
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { interval: 1 });
  vi.advanceTimersByTime(30_000);
  expect([(await answer).status, isCancelled]).toEqual([400, true]);
});

it('gives up a Node request whose body has not ended after 30 seconds', async () => {
  useTimers();
  const request = Object.assign(new PassThrough(), { headers: {} });
  request.write(HALF);
  const receive = partnerWebhooksExpress({ secret: SECRET, onEvent: () => {}, onRefused: () => {} });
  const failed = new Promise((resolve) => receive(request as never, {} as never, resolve));
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { interval: 1 });
  vi.advanceTimersByTime(30_000);
  expect(await failed).toMatchObject({ message: expect.stringContaining('before its body was complete') });
  expect(request.listenerCount('data')).toBe(0);
});

it('leaves no timer behind when the body has arrived', async () => {
  useTimers();
  const receive = partnerWebhooksFetch({ secret: SECRET, onEvent: () => {}, onRefused: () => {} });
  await receive(new Request('https://ats.example/webhooks', { method: 'POST', body: '{}' }));
  expect(vi.getTimerCount()).toBe(0);
});
