/** Telemetry that throws, or runs work twice, does not affect the work. */
import { setImmediate } from 'node:timers/promises';
import { trace } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import type { Span, Telemetry } from '@partner-hiring/core';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner } from '@partner-hiring/test-support/partner';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';

let fixture: Fixture;
afterEach(async () => {
  await fixture.close();
  trace.disable();
});

function fail(): never {
  throw new Error('The collector is full.');
}

const instruments = { counter: () => fail, histogram: () => fail, observe: () => fail };
const clock = { seconds: () => 0 };

/** Spans that run work in their own way and throw in every other method. */
function runningBy(run: Span['run']): Telemetry {
  const startSpan = (): Span => ({ isRecorded: true, run, set: fail, fail, end: fail });
  return { ...instruments, ...clock, startSpan };
}

it.each<[string, Telemetry]>([
  ['measures', { ...instruments, ...clock, startSpan: fail }],
  [
    'ends a span',
    runningBy((work) => {
      work();
      return fail();
    }),
  ],
  ['begins no span', { ...instruments, ...clock, startSpan: () => undefined as never }],
  ['reads its clock', { ...instruments, seconds: fail, startSpan: fail }],
  [
    'does the work again',
    runningBy((work) => {
      work();
      return work();
    }),
  ],
])('sends and records an event once if telemetry breaks while it %s', async (_when, telemetry) => {
  fixture = await createFixture({ telemetry });
  await expectSentOnce(fixture);
});

it('replies and attempts survive an OpenTelemetry span processor that throws', async () => {
  const done = async () => {};
  const broken = { onStart: () => {}, onEnd: fail, forceFlush: done, shutdown: done };
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [broken] }));
  fixture = await createFixture();
  const partner = await createPartner(fixture);
  expect(await partner.get('/jobs')).toMatchObject({ status: 200 });
  await expectSentOnce(fixture);
});

it('the process and attempts survive telemetry that is asynchronous and rejects', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  const reject = () => Promise.reject(new Error('The collector is full.'));
  const span = {
    isRecorded: true,
    run: (work: () => unknown) => work(),
    set: reject,
    fail: reject,
    end: reject,
  };
  const measures = {
    counter: () => reject,
    histogram: () => reject,
    observe: () => reject,
    seconds: () => 0,
  };
  for (const startSpan of [() => span, reject]) {
    fixture = await createFixture({ telemetry: { ...measures, startSpan } as unknown as Telemetry });
    await expectSentOnce(fixture);
    await fixture.close();
  }
  await setImmediate();
  expect(unhandled).not.toHaveBeenCalled();
});

async function expectSentOnce(fixture: Fixture): Promise<void> {
  const { operator, partnerHiring, transport } = fixture;
  const partner = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);
  await partnerHiring.worker.drain();
  const before = transport.events().length;
  await operator.jobs.close({ id: jobId });
  await partnerHiring.worker.drain();
  await partnerHiring.worker.drain();
  expect(transport.events()).toHaveLength(before + 1);
  const { overall } = await operator.deliveries.count();
  expect(overall).toMatchObject({ due: 0, scheduled: 0 });
}
