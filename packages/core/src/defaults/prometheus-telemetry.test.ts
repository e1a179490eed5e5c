import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import * as prometheus from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import type { Telemetry } from '../ports/telemetry.js';
import { createOpenTelemetry } from './open-telemetry.js';
import { createPrometheusTelemetry } from './prometheus-telemetry.js';

/** Records some of everything. */
function record(telemetry: Telemetry): void {
  const pauses = telemetry.counter({
    name: 'partner_hiring.endpoint.pauses',
    unit: '{pause}',
    description: 'Pauses.',
    attributes: ['partner_hiring.pause.reason'],
  });
  pauses(1, { 'partner_hiring.pause.reason': 'gone' });
  pauses(2, { 'partner_hiring.pause.reason': 'gone' });
  pauses(1, { 'partner_hiring.pause.reason': 'a "b" \\ \n c' });
  const durations = telemetry.histogram({
    name: 'http.server.request.duration',
    unit: 's',
    description: 'Durations.',
    attributes: ['http.route', 'http.response.status_code', 'error.type'],
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

/** The values of the library, in order, with sorted labels. The exporter adds labels that name its scope. */
function valuesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => /^(?:partner_hiring|http_server)/.test(line))
    .map((line) => {
      const labels = [...line.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].filter(
        ([, name]) => !/^otel_/.test(name ?? ''),
      );
      const sorted = labels.map(([label]) => label).toSorted();
      return [/^\w+/.exec(line)?.[0], ...sorted, /\S+$/.exec(line)?.[0]].join(' ');
    })
    .toSorted();
}

/** The telemetry of a registry, and its text without comments. */
function createRegistry() {
  const register = new prometheus.Registry();
  const telemetry = createPrometheusTelemetry({ ...prometheus, register });
  const lines = async () => (await register.metrics()).split('\n').filter((line) => /^[^#]/.test(line));
  return { register, telemetry, lines };
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
  const { telemetry, register } = createRegistry();
  record(telemetry);
  const text = await register.metrics();
  expect(text).toContain('\npartner_hiring_delivery_due_age_seconds 1.5\n');
  // The exporter for Node leaves the unit out of the names.
  expect(valuesOf(text.replaceAll('_seconds', ''))).toEqual(valuesOf(theirs));
});

it('leaves out gauges that cannot be read, and those that were unregistered', async () => {
  const { telemetry, lines } = createRegistry();
  const instruments = [{ name: 'a', unit: '{a}', description: 'A.' }];
  const stop = telemetry.observe(instruments, async () => [1]);
  telemetry.observe([{ name: 'b', unit: '{b}', description: 'B.' }], async () => null);
  telemetry.observe([{ name: 'c', unit: '{c}', description: 'C.' }], () =>
    Promise.reject(new Error('Down.')),
  );
  expect(await lines()).toEqual(['a 1']);
  stop();
  expect(await lines()).toEqual([]);
});

it('reads the gauges of one source once for each scrape', async () => {
  const { telemetry, lines } = createRegistry();
  const instruments = ['a', 'b'].map((name) => ({ name, unit: '{a}', description: 'A.' }));
  let reads = 0;
  telemetry.observe(instruments, async () => {
    reads += 1;
    return [reads, reads];
  });
  expect(await lines()).toEqual(['a 1', 'b 1']);
  expect(await lines()).toEqual(['a 2', 'b 2']);
});

it('continues the counts of an instance that was closed, and has the gauges of the newest', async () => {
  const { register, lines } = createRegistry();
  const gauge = [{ name: 'a', unit: '{a}', description: 'A.' }];
  const counter = { name: 'b', unit: '{b}', description: 'B.' };
  const histogram = { name: 'c', unit: '{c}', description: 'C.', buckets: [1] };
  const open = (value: number) => {
    const telemetry = createPrometheusTelemetry({ ...prometheus, register });
    telemetry.counter(counter)(1, {});
    telemetry.histogram(histogram)(1, {});
    return telemetry.observe(gauge, async () => [value]);
  };
  const closeFirst = open(1);
  open(2);
  closeFirst();
  expect(await lines()).toEqual(expect.arrayContaining(['a 2', 'b_total 2', 'c_count 2']));
});
