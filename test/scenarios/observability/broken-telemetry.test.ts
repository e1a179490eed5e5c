/** A host's telemetry that throws, or does work twice, although it must not: everything goes on unseen. */
import type { Span, Telemetry } from '@partner-hiring/core/ports';
import { afterEach, expect, it } from 'vitest';
import { createEmployer, createPartner } from '../../support/partner.js';
import { createWorld, type World } from '../../support/world.js';

let world: World;
afterEach(() => world.close());

function fail(): never {
  throw new Error('The collector is full.');
}

const instruments = { counter: () => fail, histogram: () => fail, observe: () => () => {} };
const clock = { seconds: () => 0 };

/** Whose spans run work in a way of their own, and break in all else. */
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
  ['reads its clock', { ...instruments, seconds: fail, startSpan: fail }],
  [
    'does the work again',
    runningBy((work) => {
      work();
      return work();
    }),
  ],
])(
  'an event is sent once, and recorded, by a worker whose telemetry breaks as it %s',
  async (_when, telemetry) => {
    world = await createWorld({ telemetry });
    const { operator, partnerHiring, transport } = world;
    const partner = await createPartner(world);
    const { jobId } = await createEmployer(world, partner);
    await partnerHiring.worker.drain();
    const before = transport.events().length;
    await operator.jobs.close({ id: jobId });
    await partnerHiring.worker.drain();
    await partnerHiring.worker.drain();
    expect(transport.events()).toHaveLength(before + 1);
    const { overall } = await operator.deliveries.counts();
    expect(overall).toMatchObject({ due: 0, scheduled: 0 });
  },
);
