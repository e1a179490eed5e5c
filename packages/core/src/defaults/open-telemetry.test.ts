import { readFileSync } from 'node:fs';
import { type Context, context, createContextKey, propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import { afterEach, expect, it } from 'vitest';
import { createOpenTelemetry, VERSION } from './open-telemetry.js';

afterEach(() => context.disable());

it('names the version of the package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(VERSION).toBe(manifest.version);
});

it('does the work and nothing else where the host has no SDK', async () => {
  const telemetry = createOpenTelemetry();
  telemetry.counter({ name: 'a', unit: '1', description: '' })(1, {});
  telemetry.histogram({ name: 'b', unit: 's', description: '', buckets: [1] })(1, { of: 'a' });
  const read = () => Promise.reject(new Error('Nobody collects.'));
  telemetry.observe([{ name: 'c', unit: '1', description: '' }], read)();
  const span = telemetry.startSpan('d', 'server', {});
  expect(span.isRecorded).toBe(false);
  await expect(span.run(async () => 'done')).resolves.toBe('done');
  span.fail('e');
  span.end();
});

it('keeps what the host carries from whom we call, also where it traces nothing', () => {
  let active = ROOT_CONTEXT;
  context.setGlobalContextManager({
    active: () => active,
    with(next: Context, work, self, ...args) {
      const before = active;
      active = next;
      try {
        return work.apply(self as never, args);
      } finally {
        active = before;
      }
    },
    bind: (_, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
  const suppressed = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');
  const carried = () => [
    propagation.getActiveBaggage()?.getAllEntries(),
    context.active().getValue(suppressed),
  ];
  const baggage = propagation.createBaggage({ user: { value: 'ada' } });
  context.with(propagation.setBaggage(ROOT_CONTEXT, baggage), () => {
    const telemetry = createOpenTelemetry();
    expect(telemetry.startSpan('ours', 'client', {}).run(carried)).toEqual([undefined, true]);
    expect(telemetry.startSpan('theirs', 'server', {}).run(carried)).toEqual([
      [['user', { value: 'ada' }]],
      undefined,
    ]);
  });
});
