/** Plays the Python program of docs/events.md against a service that fails. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { fencesOf } from './fences.js';
import { createShell } from './shell.js';

type Answer = (response: ServerResponse) => void;

const page: Answer = (response) => response.end('{"data":[]}');
const status =
  (code: number, body = ''): Answer =>
  (response) =>
    response.writeHead(code, { 'Retry-After': '0' }).end(body);
const halfPage: Answer = (response) => {
  response.writeHead(200, { 'Content-Length': '11' }).write('{"da', () => response.destroy());
};
const missing = status(
  422,
  JSON.stringify({
    error: 'VALIDATION_ERROR',
    details: { errors: [{ field: 'updated_since', code: 'invalid_cursor', message: 'Missing.' }] },
  }),
);

const OLD = '2025-01-01T00:00:00Z';
const NEW = '2026-11-21T10:15:30.123Z';
const [JOBS, APPLICATIONS, EVENTS] = ['/jobs?limit=200', '/applications?limit=200', '/events?limit=200'];
const since = (time: string) => `${EVENTS}&updated_since=${encodeURIComponent(time)}`;

/** Runs the program until a 401 ends it. Returns its requests. */
async function requestsFor(answers: readonly Answer[]): Promise<readonly string[]> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.setHeader('x-updated-through', NEW);
    (answers[asked.length - 1] ?? status(401))(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const folder = temporaryFolder();
  const program = fencesOf('docs/events.md').find(({ kind }) => kind === 'py')?.text ?? '';
  writeFileSync(join(folder, 'events-position.txt'), OLD);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const shell = createShell(folder, { PARTNER_API_URL: url, PARTNER_API_KEY: 'pek_test_k' });
  writeFileSync(join(folder, 'poll_events.py'), program.replace('wait = 5\n', 'wait = 0\n'));
  await expect(shell.run('python3 poll_events.py')).rejects.toThrow(/401/);
  return asked;
}

test('reads everything again when events may be missing', async () => {
  const asked = await requestsFor([missing, page, page, page]);
  expect(asked).toEqual([since(OLD), JOBS, APPLICATIONS, EVENTS, since(NEW)]);
});

test('repeats a page whose answer ends in the middle, and after a 503', async () => {
  const asked = await requestsFor([halfPage, status(503), page]);
  expect(asked).toEqual([since(OLD), since(OLD), since(OLD), since(NEW)]);
});

test('reads everything again after a 503, a 429 or half an answer while it reads', async () => {
  const asked = await requestsFor([
    missing,
    status(503),
    page,
    status(429),
    page,
    halfPage,
    page,
    page,
    page,
  ]);
  const read = [JOBS, APPLICATIONS];
  expect(asked).toEqual([since(OLD), JOBS, ...read, ...read, ...read, EVENTS, since(NEW)]);
});
