import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createPostWebhook } from './post-webhook.js';

const SECRET = 'of-the-test';

/** Posts once to a receiver that answers like this. */
async function postTo(answer: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return createPostWebhook({ url, secrets: [SECRET] })('{}', new AbortController().signal);
}

test.each([
  ['', ''],
  ['  not\r\n\tfound\u2028 ', 'not found'],
  ['\u001b[2Jred\u202e\u0000', '[2Jred'],
  [`secret=${SECRET}, ${SECRET}`, 'secret=***, ***'],
  ['é'.repeat(500), 'é'.repeat(200)],
  [Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
])('returns the start of a refusal as one line without secrets: %j', async (body, excerpt) => {
  const end = await postTo((response) => response.writeHead(500).end(body));
  expect(end).toEqual({ kind: 'answered', status: 500, excerpt });
});

test('does not wait for the body when the receiver accepts', async () => {
  const end = await postTo((response) => response.writeHead(200).write('never ends'));
  expect(end).toEqual({ kind: 'answered', status: 200 });
});

test('keeps only the start of an endless body', async () => {
  let hasStopped = false;
  const end = await postTo((response) => {
    response.writeHead(500).on('close', () => {
      hasStopped = true;
    });
    const send = (): unknown => (response.destroyed ? null : response.write('x'.repeat(65_536), send));
    send();
  });
  expect(end).toEqual({ kind: 'answered', status: 500, excerpt: 'x'.repeat(200) });
  await expect.poll(() => hasStopped, { timeout: 5_000 }).toBe(true);
});

test.each([
  ['stops', (response: ServerResponse) => response.writeHead(500).write('half')],
  [
    'breaks off',
    (response: ServerResponse) => response.writeHead(500).write('half', () => response.destroy()),
  ],
])('returns what came of a body that %s in the middle', async (_what, answer) => {
  expect(await postTo(answer)).toEqual({ kind: 'answered', status: 500, excerpt: 'half' });
});
