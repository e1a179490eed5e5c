import { metrics } from '@opentelemetry/api';
import type { MeterProvider } from '@opentelemetry/sdk-metrics';
import { createPartnerHiring, createPrometheusTelemetry, type Telemetry } from '@partner-hiring/core';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import * as prometheus from 'prom-client';
import { vi } from 'vitest';
import { freePort } from '../../examples/platform/database/embedded-postgres.js';
import { createOpenTelemetry } from '../../packages/core/src/defaults/open-telemetry.js';
import type { Instrument, Measure } from '../../packages/core/src/ports/telemetry.js';

/** A metric of core, by its name in OpenTelemetry. */
export interface CoreMetric extends Instrument {
  readonly kind: 'counter' | 'gauge' | 'histogram';
}

/** Returns the metrics that an instance with every option registers. */
export async function readCoreMetrics(): Promise<readonly CoreMetric[]> {
  const found: CoreMetric[] = [];
  const add = (kind: CoreMetric['kind'], { name, unit, description, attributes = [] }: Instrument) => {
    found.push({ kind, name, unit, description, attributes });
    return () => {};
  };
  const span = { isRecorded: false, run: <T>(work: () => T) => work(), set() {}, fail() {}, end() {} };
  const telemetry: Telemetry = {
    counter: (instrument) => add('counter', instrument),
    histogram: (instrument) => add('histogram', instrument),
    observe: (instruments) => {
      for (const instrument of instruments) add('gauge', instrument);
      return () => {};
    },
    startSpan: () => span,
    seconds: () => performance.now() / 1_000,
  };
  await withInstance(telemetry, async () => {});
  return found;
}

/** Returns the type of each metric that such an instance gives to `prom-client`, by its name. */
export async function readPrometheusTypes(): Promise<Readonly<Record<string, string>>> {
  const register = new prometheus.Registry();
  let text = '';
  await withInstance(createPrometheusTelemetry({ ...prometheus, register }), async () => {
    text = await register.metrics();
  });
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  return Object.fromEntries(types.map(([, name = '', type = '']) => [name, type]));
}

/** Starts the telemetry of `examples/operations`, and returns the names that its exporter gives to each used metric. */
export async function readExportedNames(): Promise<readonly string[]> {
  const port = await freePort();
  vi.stubEnv('METRICS_PORT', String(port));
  await import('../../examples/operations/telemetry.js');
  const provider = metrics.getMeterProvider() as MeterProvider;
  const own = createOpenTelemetry();
  // The exporter leaves out counters and histograms without a value.
  const used: Telemetry = {
    ...own,
    counter: (instrument) => using(own.counter(instrument)),
    histogram: (instrument) => using(own.histogram(instrument)),
  };
  let text = '';
  await withInstance(used, async () => {
    text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  });
  metrics.disable();
  await provider.shutdown();
  return [...new Set([...text.matchAll(/^([a-z_]\w*)[ {]/gm)].map(([, name = '']) => name))];
}

function using(record: Measure): Measure {
  record(1, {});
  return record;
}

/** Runs the work while an instance with every option uses the telemetry. */
async function withInstance(telemetry: Telemetry, work: () => Promise<void>): Promise<void> {
  const database = await createTestDatabase();
  const storage = await database.open({ now: Date.now });
  const secretKey = '0123456789abcdef'.repeat(4);
  const partnerHiring = createPartnerHiring({ storage, secretKey, telemetry, inbox: { receive: () => {} } });
  await work();
  await partnerHiring.close();
  await database.remove();
}

/** Returns the names of a metric's time series in Prometheus, by OpenTelemetry's rules. */
export function prometheusNames({
  kind,
  name,
  unit,
}: Pick<CoreMetric, 'kind' | 'name' | 'unit'>): readonly string[] {
  const base = name.replaceAll(/[^a-z0-9_]/gi, '_') + (unit === 's' ? '_seconds' : '');
  if (kind === 'counter') return [`${base}_total`];
  if (kind === 'histogram') return [`${base}_bucket`, `${base}_sum`, `${base}_count`];
  return [base];
}
