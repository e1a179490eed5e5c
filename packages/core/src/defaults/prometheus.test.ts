import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { expect, it, onTestFinished } from 'vitest';
import type { Telemetry } from '../ports/telemetry.js';
import { createOpenTelemetry } from './open-telemetry.js';
import { createPrometheusMetrics } from './prometheus.js';

/** Records some of everything. */
function record(telemetry: Telemetry): void {
  const pauses = telemetry.counter({
    name: 'partner_hiring.endpoint.pauses',
    unit: '{pause}',
    description: 'Pauses.',
  });
  pauses(1, { 'partner_hiring.pause.reason': 'gone' });
  pauses(2, { 'partner_hiring.pause.reason': 'gone' });
  pauses(1, { 'partner_hiring.pause.reason': 'a "b" \\ \n c' });
  const durations = telemetry.histogram({
    name: 'http.server.request.duration',
    unit: 's',
    description: 'Durations.',
    buckets: [0.1, 1],
  });
  for (const seconds of [0.05, 0.1, 0.5, 3])
    durations(seconds, { 'http.route': '/jobs', 'http.response.status_code': 200 });
  telemetry.observe(
    [
      { name: 'partner_hiring.delivery.due', unit: '{event}', description: 'Events.' },
      { name: 'partner_hiring.delivery.due.age', unit: 's', description: 'Age.' },
    ],
    async () => [4, 1.5],
  );
}

/** The values of the library, in order. The exporter adds labels that name its scope. */
function valuesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => /^(?:partner_hiring|http_server)/.test(line))
    .map((line) =>
      line
        .replace(/,?otel_scope_[a-z_]+="[^"]*"/g, '')
        .replace('{,', '{')
        .replace('{}', ''),
    )
    .toSorted();
}

it('gives each metric the labels and values of the exporter of OpenTelemetry, and the name with its unit', async () => {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const provider = new MeterProvider({ readers: [exporter] });
  metrics.setGlobalMeterProvider(provider);
  onTestFinished(async () => {
    metrics.disable();
    await provider.shutdown();
  });
  record(createOpenTelemetry());
  const theirs = await new Promise<string>((resolve) => {
    const reply = { setHeader() {}, statusCode: 200, end: resolve };
    exporter.getMetricsRequestHandler({} as never, reply as never);
  });
  const ours = createPrometheusMetrics();
  record(ours.telemetry);
  const text = await ours.text();
  expect(text).toContain('\npartner_hiring_delivery_due_age_seconds 1.5\n');
  // The exporter for Node leaves the unit out of the names.
  expect(valuesOf(text.replaceAll('_seconds', ''))).toEqual(valuesOf(theirs));
});

it('leaves out gauges that cannot be read, and those that were unregistered', async () => {
  const { telemetry, text } = createPrometheusMetrics();
  const instruments = [{ name: 'a', unit: '{a}', description: 'A.' }];
  const stop = telemetry.observe(instruments, async () => [1]);
  telemetry.observe([{ name: 'b', unit: '{b}', description: 'B.' }], async () => null);
  telemetry.observe([{ name: 'c', unit: '{c}', description: 'C.' }], () =>
    Promise.reject(new Error('Down.')),
  );
  expect(await text()).toBe('# HELP a A.\n# TYPE a gauge\na 1\n');
  stop();
  expect(await text()).toBe('\n');
});
