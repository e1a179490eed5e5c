import { readFileSync } from 'node:fs';
import {
  type Context,
  context,
  createContextKey,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
} from '@opentelemetry/api';
import { registerTelemetry } from '@partner-hiring/test-support/telemetry';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { createOpenTelemetry, VERSION } from './open-telemetry.js';

afterEach(() => context.disable());

it('uses the version of the package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(VERSION).toBe(manifest.version);
});

it('only runs the work without an SDK', async () => {
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

it("hides the host's context from the called server, even without tracing", () => {
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

it("sends measurements to the host's SDK with unit and buckets", async () => {
  const sdk = registerTelemetry();
  onTestFinished(() => sdk.close());
  const telemetry = createOpenTelemetry();
  const counted = { name: 'a', unit: '{call}', description: 'Calls.' };
  telemetry.counter(counted)(2, { of: 'a' });
  const measured = { name: 'b', unit: 's', description: 'Durations.' };
  telemetry.histogram({ ...measured, buckets: [1, 5] })(3, { of: 'b' });
  const observed = [
    { name: 'c', unit: 's', description: 'Ages.' },
    { name: 'd', unit: '{event}', description: 'Events.' },
  ];
  const read = vi.fn(async () => [4, 5]);
  const stop = telemetry.observe(observed, read);
  const [metrics] = JSON.parse(await sdk.everything());
  const between = { buckets: { boundaries: [1, 5], counts: [0, 1, 0] }, sum: 3 };
  expect(metrics).toMatchObject([
    { descriptor: counted, dataPoints: [{ value: 2, attributes: { of: 'a' } }] },
    { descriptor: measured, dataPoints: [{ value: between, attributes: { of: 'b' } }] },
    { descriptor: observed[0], dataPoints: [{ value: 4 }] },
    { descriptor: observed[1], dataPoints: [{ value: 5 }] },
  ]);
  stop();
  await sdk.everything();
  expect(read).toHaveBeenCalledOnce();
});

it('traces the peer of a span and its failure', async () => {
  const sdk = registerTelemetry();
  onTestFinished(() => sdk.close());
  const telemetry = createOpenTelemetry();
  const outer = telemetry.startSpan('b', 'server', {});
  outer.run(() => {
    const failing = telemetry.startSpan('a', 'client', { of: 'a' });
    expect(failing.isRecorded).toBe(true);
    failing.fail('timed_out');
    failing.end();
    telemetry.startSpan('c', 'server', {}).end();
  });
  outer.end();
  const [, spans] = JSON.parse(await sdk.everything());
  const attributes = { of: 'a', 'error.type': 'timed_out' };
  expect(spans).toMatchObject([
    { name: 'a', kind: SpanKind.CLIENT, attributes, status: { code: SpanStatusCode.ERROR } },
    { name: 'c', kind: SpanKind.INTERNAL, attributes: {} },
    { name: 'b', kind: SpanKind.SERVER, status: { code: SpanStatusCode.UNSET } },
  ]);
  const [alone, inner, around] = sdk.spans();
  expect(alone?.parentSpanContext).toBeUndefined();
  expect(inner?.parentSpanContext?.spanId).toBe(around?.spanContext().spanId);
});

it('the clock of telemetry returns seconds', () => {
  expect(createOpenTelemetry().seconds()).toBeCloseTo(performance.now() / 1_000, 1);
});
