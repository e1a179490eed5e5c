import { createRecordingLogger, createRecordingTelemetry } from '@partner-hiring/test-support/telemetry';
import { expect, it } from 'vitest';
import type { EndpointBacklog } from '../domain/backlog.js';
import type { EndpointCommands } from '../groups/deliveries/endpoint-commands.js';
import type { EndpointRepository } from '../ports/repositories/endpoints.js';
import { createEndpointObserver, observeBacklog, observeEndpointCommands } from './endpoints.js';

const TARGET = { keyId: 'key_1' } as const;

it('counts and logs pauses and resumes', async () => {
  const commands = {
    pause: async () => ({ changed: true }),
    resume: async () => ({ changed: true, pausedReason: 'gone' }),
  } as unknown as EndpointCommands;
  const telemetry = createRecordingTelemetry();
  const logger = createRecordingLogger();
  const observed = observeEndpointCommands(commands, createEndpointObserver(telemetry), logger);
  await observed.pause(TARGET);
  await observed.resume(TARGET);
  const pause = { name: 'partner_hiring.endpoint.pauses', unit: '{pause}', value: 1 };
  const resume = { name: 'partner_hiring.endpoint.resumes', unit: '{resume}', value: 1 };
  const each = [
    { ...pause, attributes: { 'partner_hiring.pause.reason': 'operator' } },
    { ...resume, attributes: { 'partner_hiring.pause.reason': 'gone' } },
  ];
  expect(telemetry.measured).toEqual(each);
  const fields = ['operator', 'gone'].map((reason) => ({ ...TARGET, reason }));
  expect(logger.lines.map((line) => line.fields)).toEqual(fields);
});

const NOW = 1_000_000;
const NOTHING: EndpointBacklog = {
  keyId: 'key_1',
  state: 'active',
  isHeld: false,
  unsent: 0,
  oldestUnsentAt: null,
  due: 0,
  oldestDueAt: null,
  oldestPendingAt: null,
  resumedAt: null,
  gapUntil: null,
  scheduled: 0,
  dead: 0,
};

/** Observes the given backlog. */
function observe(backlogs: EndpointRepository['backlogs']) {
  const telemetry = createRecordingTelemetry();
  const logger = createRecordingLogger();
  const stop = observeBacklog(
    telemetry,
    { backlogs, countFailing: async () => 3, countSlowed: async () => 2 },
    { sync: async () => NOW },
    logger,
  );
  return { ...telemetry, lines: logger.lines, stop };
}

it('counts due events of all endpoints, up to a thousand of each kind, and their age in seconds', async () => {
  const asked: unknown[] = [];
  const { collect, stop } = observe(async (...question) => {
    asked.push(question);
    return [
      { ...NOTHING, unsent: 1_000, oldestUnsentAt: NOW - 1_000, due: 2, oldestDueAt: NOW - 1_000 },
      { ...NOTHING, keyId: 'key_2', due: 3, oldestDueAt: NOW - 30_000, oldestPendingAt: NOW - 90_500 },
    ];
  });
  expect(await collect()).toEqual({
    'partner_hiring.delivery.due {event}': 1_005,
    'partner_hiring.delivery.due.age s': 90.5,
    'partner_hiring.endpoint.failing {endpoint}': 3,
    'partner_hiring.endpoint.slowed {endpoint}': 2,
  });
  expect(asked).toEqual([[null, NOW, 1_000]]);
  stop();
  expect(await collect()).toEqual({});
});

it('reports 0 if nothing is due', async () => {
  expect(Object.values(await observe(async () => [NOTHING]).collect())).toEqual([0, 0, 3, 2]);
});

it('reports nothing if reading fails, and logs the cause', async () => {
  const { collect, lines } = observe(() => Promise.reject(new Error('The database is gone.')));
  expect(Object.values(await collect())).toEqual([null, null, null, null]);
  expect(lines).toEqual([
    {
      level: 'error',
      fields: { err: expect.objectContaining({ message: 'The database is gone.' }) },
      message: 'Reading the delivery backlog failed.',
    },
  ]);
});
