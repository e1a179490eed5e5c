import { expect, it } from 'vitest';
import type { ResumeFileTask } from '../domain/resume.js';
import { createFailingHosts } from './failing-hosts.js';

function task(url: string, attempts = 0): ResumeFileTask {
  return { applicationId: 'ej_app_1', keyId: 'key_1', url, attempts, dueAt: 0 };
}

const SLOW = task('https://slow.example/1');
const INSIDE = [SLOW, task('https://slow.example/2'), task('https://quick.example/1')];

it('bounds a host to half of the downloads as long as it fails', () => {
  const hosts = createFailingHosts(4);
  expect(hosts.isFull(SLOW, INSIDE)).toBe(false);
  hosts.record(SLOW, true);
  expect(hosts.isFull(SLOW, INSIDE)).toBe(true);
  expect(hosts.isFull(SLOW, INSIDE.slice(1))).toBe(false);
  expect(hosts.isFull(task('https://quick.example/2'), INSIDE)).toBe(false);
  hosts.record(SLOW, false);
  expect(hosts.isFull(SLOW, INSIDE)).toBe(false);
});

it('bounds the retries of a host that failed in another process', () => {
  expect(createFailingHosts(4).isFull(task('https://slow.example/3', 1), INSIDE)).toBe(true);
});

it('lets a single download run at a time if the queue has one', () => {
  const hosts = createFailingHosts(1);
  hosts.record(SLOW, true);
  expect(hosts.isFull(SLOW, [])).toBe(false);
});

it('forgets the hosts after a thousand', () => {
  const hosts = createFailingHosts(2);
  for (let count = 0; count <= 1_000; count += 1) hosts.record(task(`https://${count}.example/`), true);
  const isFull = (host: number) =>
    hosts.isFull(task(`https://${host}.example/1`), [task(`https://${host}.example/2`)]);
  expect([isFull(0), isFull(1_000)]).toEqual([false, true]);
});
