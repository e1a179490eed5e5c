import { expect, test } from 'vitest';

import { type BucketQueue, createBucketQueues, currentQueue, type Route } from './bucket-queues.js';

const to = (jobId: string): Route => ({ kind: 'submit_application', jobId });
const names = (queues: { all(): Iterable<BucketQueue<string>> }) => [...queues.all()].map(({ name }) => name);
const window = (remaining: number) => ({ limit: 10, remaining, reset: 1, endsAt: 60_000 });

test('merges a job’s queue and its requests under way into its company’s queue', () => {
  const queues = createBucketQueues<string>();
  const [first, second] = [queues.queueOf(to('job_1')), queues.queueOf(to('job_2'))];
  expect(first).not.toBe(second);
  first.queue.push('a', 'b');
  first.underWay = 2;
  first.window = window(3);
  second.queue.push('c');
  second.underWay = 1;
  second.window = window(9);
  queues.learn('job_1', 'co_1');
  queues.learn('job_2', 'co_1');

  const company = queues.queueOf(to('job_1'));
  expect(queues.queueOf(to('job_2'))).toBe(company);
  expect([currentQueue(first), currentQueue(second), currentQueue(company)]).toEqual([
    company,
    company,
    company,
  ]);
  expect(company).toMatchObject({ queue: ['a', 'b', 'c'], underWay: 3, window: window(3) });
  expect([first.queue, second.queue, names(queues)]).toEqual([[], [], [company.name]]);
});

test('keeps separate queues for companies and for lists', () => {
  const queues = createBucketQueues<string>();
  queues.learn('job_1', 'co_1');
  queues.learn('job_2', 'co_2');
  const routes: Route[] = [
    to('job_1'),
    to('job_2'),
    to('co_1'),
    { kind: 'list_jobs' },
    { kind: 'list_applications' },
  ];
  expect(new Set(routes.map((route) => queues.queueOf(route))).size).toBe(routes.length);
});

test('removes a queue that is empty, has nothing under way and knows of no used requests', () => {
  const queues = createBucketQueues<string>();
  queues.queueOf(to('waiting')).queue.push('a');
  queues.queueOf(to('under way')).underWay = 1;
  queues.queueOf(to('used')).window = window(9);
  queues.queueOf(to('fresh')).window = window(10);
  queues.queueOf(to('unknown'));
  queues.forgetIdle();
  expect(names(queues)).toEqual(['job waiting', 'job under way', 'job used']);
  queues.renewWindows(60_000);
  queues.forgetIdle();
  expect(names(queues)).toEqual(['job waiting', 'job under way']);
});

test('moves a queue behind all others', () => {
  const queues = createBucketQueues<string>();
  const [first] = ['job_1', 'job_2'].map((jobId) => queues.queueOf(to(jobId)));
  if (first !== undefined) queues.toBack(first);
  expect(names(queues)).toEqual(['job job_2', 'job job_1']);
});

test('remembers the companies of 10,000 jobs, and forgets the oldest first', () => {
  const queues = createBucketQueues<string>();
  const isKnown = (jobId: string) => queues.queueOf(to(jobId)).name === 'company co_1';
  for (let number = 1; number <= 10_000; number += 1) queues.learn(`job_${number}`, 'co_1');
  queues.learn('job_1', 'co_1');
  expect(isKnown('job_2')).toBe(true);
  queues.learn('job_last', 'co_1');
  expect(['job_1', 'job_2', 'job_3', 'job_last'].map(isKnown)).toEqual([true, false, true, true]);
});
