import { createPartnerHiring, type Instrument, type Telemetry } from '@partner-hiring/core';
import { createTestDatabase } from '@partner-hiring/test-support/storages';

/** A metric of core, by its name in OpenTelemetry. */
export interface CoreMetric extends Instrument {
  readonly kind: 'counter' | 'gauge' | 'histogram';
}

/** Returns the metrics that an instance with every option registers. */
export async function readCoreMetrics(): Promise<readonly CoreMetric[]> {
  const found: CoreMetric[] = [];
  const add = (kind: CoreMetric['kind'], { name, unit, description }: Instrument) => {
    found.push({ kind, name, unit, description });
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
  const database = await createTestDatabase();
  const storage = await database.open({ now: Date.now });
  const secretKey = '0123456789abcdef'.repeat(4);
  const partnerHiring = createPartnerHiring({ storage, secretKey, telemetry, inbox: { receive: () => {} } });
  await partnerHiring.close();
  await database.remove();
  return found;
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
