import { expect, test } from 'vitest';
import type { Route } from '../route.js';
import { type BucketQueue, createBucketQueues, standing } from './bucket-queues.js';

const to = (jobId: string): Route => ({ kind: 'submit_application', jobId });
const names = (queues: { inTurn(): Iterable<BucketQueue<string>> }) =>
  [...queues.inTurn()].map(({ name }) => name);
const window = (remaining: number) => ({ limit: 10, remaining, reset: 1, endsAt: 60_000 });

test('what waits for a job waits for its company once that is known, and what is under way is counted there', () => {
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
  expect([standing(first), standing(second), standing(company)]).toEqual([company, company, company]);
  expect(company).toMatchObject({ queue: ['a', 'b', 'c'], underWay: 3, window: window(3) });
  expect([first.queue, second.queue, names(queues)]).toEqual([[], [], [company.name]]);
});

test('jobs of two companies, and each list, wait apart', () => {
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

test('a lane is forgotten once nothing waits for it, is under way in it, or is used up of it', () => {
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

test('a lane that was put to the back comes after all others', () => {
  const queues = createBucketQueues<string>();
  const [first] = ['job_1', 'job_2'].map((jobId) => queues.queueOf(to(jobId)));
  if (first !== undefined) queues.toBack(first);
  expect(names(queues)).toEqual(['job job_2', 'job job_1']);
});

test('of ten thousand jobs the company is remembered, and the one learnt last is the last to be forgotten', () => {
  const queues = createBucketQueues<string>();
  const isKnown = (jobId: string) => queues.queueOf(to(jobId)).name === 'company co_1';
  for (let number = 1; number <= 10_000; number += 1) queues.learn(`job_${number}`, 'co_1');
  queues.learn('job_1', 'co_1');
  expect(isKnown('job_2')).toBe(true);
  queues.learn('job_last', 'co_1');
  expect(['job_1', 'job_2', 'job_3', 'job_last'].map(isKnown)).toEqual([true, false, true, true]);
});
