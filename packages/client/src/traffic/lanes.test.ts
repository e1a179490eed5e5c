import { expect, test } from 'vitest';
import type { Route } from '../route.js';
import { createLanes, type Lane, standing } from './lanes.js';

const to = (jobId: string): Route => ({ kind: 'submit_application', jobId });
const names = (lanes: { inTurn(): Iterable<Lane<string>> }) => [...lanes.inTurn()].map(({ name }) => name);
const window = (remaining: number) => ({ limit: 10, remaining, reset: 1, endsAt: 60_000 });

test('what waits for a job waits for its company once that is known, and what is under way is counted there', () => {
  const lanes = createLanes<string>();
  const [first, second] = [lanes.laneOf(to('job_1')), lanes.laneOf(to('job_2'))];
  expect(first).not.toBe(second);
  first.queue.push('a', 'b');
  first.underWay = 2;
  first.window = window(3);
  second.queue.push('c');
  second.underWay = 1;
  second.window = window(9);
  lanes.learn('job_1', 'co_1');
  lanes.learn('job_2', 'co_1');

  const company = lanes.laneOf(to('job_1'));
  expect(lanes.laneOf(to('job_2'))).toBe(company);
  expect([standing(first), standing(second), standing(company)]).toEqual([company, company, company]);
  expect(company).toMatchObject({ queue: ['a', 'b', 'c'], underWay: 3, window: window(3) });
  expect([first.queue, second.queue, names(lanes)]).toEqual([[], [], [company.name]]);
});

test('jobs of two companies, and each list, wait apart', () => {
  const lanes = createLanes<string>();
  lanes.learn('job_1', 'co_1');
  lanes.learn('job_2', 'co_2');
  const routes: Route[] = [
    to('job_1'),
    to('job_2'),
    to('co_1'),
    { kind: 'list_jobs' },
    { kind: 'list_applications' },
  ];
  expect(new Set(routes.map((route) => lanes.laneOf(route))).size).toBe(routes.length);
});

test('a lane is forgotten once nothing waits for it, is under way in it, or is used up of it', () => {
  const lanes = createLanes<string>();
  lanes.laneOf(to('waiting')).queue.push('a');
  lanes.laneOf(to('under way')).underWay = 1;
  lanes.laneOf(to('used')).window = window(9);
  lanes.laneOf(to('fresh')).window = window(10);
  lanes.laneOf(to('unknown'));
  lanes.forgetIdle();
  expect(names(lanes)).toEqual(['job waiting', 'job under way', 'job used']);
  lanes.renewWindows(60_000);
  lanes.forgetIdle();
  expect(names(lanes)).toEqual(['job waiting', 'job under way']);
});

test('a lane that was put to the back comes after all others', () => {
  const lanes = createLanes<string>();
  const [first] = ['job_1', 'job_2'].map((jobId) => lanes.laneOf(to(jobId)));
  if (first !== undefined) lanes.toBack(first);
  expect(names(lanes)).toEqual(['job job_2', 'job job_1']);
});

test('of ten thousand jobs the company is remembered, and the one learnt last is the last to be forgotten', () => {
  const lanes = createLanes<string>();
  const isKnown = (jobId: string) => lanes.laneOf(to(jobId)).name === 'company co_1';
  for (let number = 1; number <= 10_000; number += 1) lanes.learn(`job_${number}`, 'co_1');
  lanes.learn('job_1', 'co_1');
  expect(isKnown('job_2')).toBe(true);
  lanes.learn('job_last', 'co_1');
  expect(['job_1', 'job_2', 'job_3', 'job_last'].map(isKnown)).toEqual([true, false, true, true]);
});
