/** Checks the files of `examples/operations` without Prometheus. `npm run test:alerts` runs them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { readPage } from '../docs/fences.js';
import { compressRules, secondsOf } from '../tools/alerts/compress.js';
import { FAULTS } from '../tools/alerts/faults.js';
import { RULES_FOLDER } from '../tools/alerts/prometheus-server.js';
import { readAlerts, readPanelQueries, readRules } from '../tools/alerts/rules.js';
import { prometheusNames, readCoreMetrics, readExportedNames, readPrometheusTypes } from './core-metrics.js';

const RULES = readRules();
const ALERTS = readAlerts();
const QUERIES = [...RULES, ...readPanelQueries()].map(({ expr }) => expr);

/** Time series that Prometheus itself or `event-loop.ts` reports. */
const OTHERS = ['up', 'ALERTS', 'nodejs_eventloop_delay_p99_seconds'];

/** Returns the names of the time series in a query: names that are not functions, keywords or labels. */
function seriesIn(query: string): readonly string[] {
  const bare = query
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without|on) ?\([^)]*\)/g, '');
  const words = [...bare.matchAll(/\b[a-zA-Z_][\w:]*\b(?!\s*\()/g)].map(([word]) => word);
  return words.filter((word) => !['and', 'or', 'unless', 'offset', 'by', 'd', '1d'].includes(word));
}

/** Returns the labels that a query selects or groups by. */
function labelsIn(query: string): readonly string[] {
  const selected = [...query.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
    [...inside.replaceAll(/"[^"]*"/g, '').matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)].map(([, name = '']) => name),
  );
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
  return [...selected, ...grouped];
}

test('finds the time series and labels of a query', () => {
  const query = 'sum by (le, a) (rate(x_bucket{b=~"c", d!="e"}[5m])) / max(y offset 1d) > 2 unless z';
  expect(seriesIn(query)).toEqual(['x_bucket', 'y', 'z']);
  expect(labelsIn(query)).toEqual(['b', 'd', 'le', 'a']);
});

test('each time series of the rules and the dashboard is a metric of core', async () => {
  const recorded = RULES.flatMap((rule) => ('record' in rule ? [rule.record] : []));
  const known = new Set([...(await readCoreMetrics()).flatMap(prometheusNames), ...recorded, ...OTHERS]);
  const used = [...new Set(QUERIES.flatMap(seriesIn))];
  expect(used.length).toBeGreaterThan(15);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

test('each label of the rules and the dashboard is described', () => {
  const described = readPage('docs/observe.md');
  const attributes = [...described.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`/g)].map(([, name = '']) =>
    name.replaceAll('.', '_'),
  );
  const known = new Set([...attributes, 'le', 'instance', 'job', 'alertstate', 'alertname']);
  expect([...new Set(QUERIES.flatMap(labelsIn))].filter((name) => !known.has(name))).toEqual([]);
});

test('the metrics of `createPrometheusTelemetry` have the names of the rules', async () => {
  const metrics = (await readCoreMetrics()).map((metric) => {
    const [name = ''] = prometheusNames(metric);
    return [name.replace(/_bucket$/, ''), metric.kind] as const;
  });
  expect(await readPrometheusTypes()).toEqual(Object.fromEntries(metrics));
});

test('the page lists every metric of core with its attributes, and no other', async () => {
  const rows = [
    ...readPage('docs/observe.md').matchAll(
      /^\| `([a-z_.]+)` \| (histogram|counter|gauge), `([^`]+)` \|([^|]*)\|/gm,
    ),
  ];
  const listed = rows.map(([, name, kind, unit, about = '']) => {
    const attributes = [...about.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`/g)].map(([, attribute]) => attribute);
    return { name, kind, unit, attributes };
  });
  const metrics = (await readCoreMetrics()).map(({ description: _, ...metric }) => metric);
  expect(listed.toSorted((a, b) => compare(a.name, b.name))).toEqual(
    metrics.toSorted((a, b) => compare(a.name, b.name)),
  );
});

function compare(a = '', b = ''): number {
  return a < b ? -1 : 1;
}

/** Renames a time series as `prometheus.yml` does. */
function renamed(name: string): string {
  const config = parseYaml(readFileSync(join(RULES_FOLDER, 'prometheus.yml'), 'utf8')) as {
    readonly scrape_configs: readonly {
      readonly metric_relabel_configs: readonly { readonly regex: string; readonly replacement: string }[];
    }[];
  };
  const [{ regex = '', replacement = '' } = {}] = config.scrape_configs[0]?.metric_relabel_configs ?? [];
  return name.replace(new RegExp(`^(?:${regex})$`), (_, first = '', second = '') =>
    replacement.replace(/\$\{1\}/, first).replace(/\$\{2\}/, second ?? ''),
  );
}

test('the exporter of the example gives Prometheus each time series of the rules and the dashboard', async () => {
  const exported = (await readExportedNames()).map(renamed);
  const ofPrometheus = ['up', 'ALERTS', ...RULES.flatMap((rule) => ('record' in rule ? [rule.record] : []))];
  const known = new Set([...exported, ...ofPrometheus]);
  const used = [...new Set(QUERIES.flatMap(seriesIn))];
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

test('the relabelling gives the metrics of the exporter the names of the rules', async () => {
  const metrics = await readCoreMetrics();
  for (const metric of [
    ...metrics,
    { kind: 'gauge', name: 'nodejs.eventloop.delay.p99', unit: 's' } as const,
  ]) {
    const exported = prometheusNames({ ...metric, unit: '' });
    expect(exported.map(renamed)).toEqual(prometheusNames(metric));
    expect(prometheusNames(metric).map(renamed)).toEqual(prometheusNames(metric));
  }
});

test('each alert has a runbook, a severity, a window, a unit test and a fault', () => {
  const runbooks = [...readPage('docs/runbooks.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(runbooks).toEqual(ALERTS.map(({ alert }) => alert).filter((name) => runbooks.includes(name)));
  const tests = readFileSync(join(RULES_FOLDER, 'alerts.test.yml'), 'utf8');
  const faults = Object.values(FAULTS).flatMap((each) => each.flatMap(({ alerts }) => alerts));
  for (const { alert, annotations, labels, ...rule } of ALERTS) {
    expect(runbooks).toContain(alert);
    expect(annotations.runbook_url).toMatch(new RegExp(`/docs/runbooks\\.md#${alert.toLowerCase()}$`));
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(secondsOf(annotations.within)).toBeGreaterThan(secondsOf(rule.for ?? '0s'));
    // It fires at least once, and stays silent at least once.
    expect(tests).toMatch(new RegExp(`alertname: ${alert}\\n +exp_alerts:\\n`));
    expect(tests).toMatch(new RegExp(`alertname: ${alert}\\n +exp_alerts: \\[\\]`));
    expect(faults).toContain(alert);
  }
  expect(new Set(faults).size).toBe(ALERTS.length);
});

test('the page lists every alert with its severity and window', () => {
  const rows = [
    ...readPage('docs/alerts.md').matchAll(
      /^\| \[`(\w+)`\]\(runbooks\.md#(\w+)\) \| (\w+) \| .* \| (\w+) \|$/gm,
    ),
  ];
  expect(rows.map(([, name, anchor, severity, within]) => ({ name, anchor, severity, within }))).toEqual(
    ALERTS.map(({ alert, labels, annotations }) => ({
      name: alert,
      anchor: alert.toLowerCase(),
      severity: labels.severity,
      within: annotations.within,
    })),
  );
});

test('compresses windows, waits, offsets and thresholds in minutes, and nothing else', () => {
  expect(secondsOf('2h')).toBe(7_200);
  expect(() => secondsOf('5')).toThrow('"5" is not a duration.');
  const rule =
    'expr: max(rate(x[5m])) > 10 * 60 and y > 0.2 unless x offset 1d\nfor: 2m\nsummary: within 5m\n';
  expect(compressRules(rule, 15)).toBe(
    'expr: max(rate(x[20s])) > 40 and y > 0.2 unless x offset 5760s\nfor: 8s\nsummary: within 5m\n',
  );
});
