/**
 * Checks the alerts and the dashboard of `examples/operations` with Debian's Prometheus: `npm run test:alerts`.
 * Runs the unit tests of the rules. Then runs the example under healthy load, in which no alert may fire, and injects a
 * fault for each alert. By default, all times of the rules are a fifteenth, and an hour takes four minutes. With `--hour`,
 * the rules are those of the file. `--minutes 1` sets the time under healthy load, and `--only worker` runs one deployment.
 */
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgresServer } from '@partner-hiring/test-support/postgres/server';
import { type AlertDeployment, startAlertDeployment } from './deployment.js';
import { askHealth, untilStatus } from './example-process.js';
import { DATABASE_DEPLOYMENT, FAULTS } from './faults.js';
import { type PartnerLoad, startPartnerLoad } from './load.js';
import { ALERT_PROGRAMS, installMissing, runDebianProgram } from './programs.js';
import { RULES_FOLDER } from './prometheus-server.js';
import { readAlerts, readPanelQueries } from './rules.js';
import { type FiredAlert, firedWithin, watchFault } from './watch.js';

/** Compressed, an hour takes four minutes. */
const FACTOR = 15;
const HOUR_SECONDS = 3_600;
/** The alerts look at rates, so they need some samples before a fault. */
const WARM_UP_SECONDS = 5;

interface Running {
  readonly deployment: AlertDeployment;
  readonly load: PartnerLoad;
}

const alerts = readAlerts();

function readMode() {
  const { hour, minutes, only } = parseArgs({
    options: {
      hour: { type: 'boolean', default: false },
      minutes: { type: 'string' },
      only: { type: 'string', multiple: true, default: Object.keys(FAULTS) },
    },
  }).values;
  const factor = hour ? 1 : FACTOR;
  const healthySeconds = minutes === undefined ? HOUR_SECONDS / factor : Number(minutes) * 60;
  return { factor, healthySeconds, names: only };
}

function checkFiles(): void {
  installMissing(ALERT_PROGRAMS);
  runDebianProgram(RULES_FOLDER, 'promtool', 'check', 'config', '--syntax-only', 'prometheus.yml');
  runDebianProgram(RULES_FOLDER, 'promtool', 'check', 'rules', 'alerts.yml');
  runDebianProgram(RULES_FOLDER, 'promtool', 'test', 'rules', 'alerts.test.yml');
  runDebianProgram(RULES_FOLDER, 'amtool', 'check-config', 'alertmanager.yml');
  console.log(`The configuration is valid, and the unit tests of ${alerts.length} alerts pass.`);
}

async function stayHealthy(running: readonly Running[], seconds: number): Promise<void> {
  console.log(`Healthy load on ${running.length} deployments for ${seconds / 60} minutes.`);
  await setTimeout(seconds * 1_000);
  for (const { deployment, load } of running) {
    const fired = await firedWithin(deployment, seconds + WARM_UP_SECONDS);
    if (fired.length > 0) throw new Error(`Under healthy load, these alerts fired: ${fired.join(', ')}.`);
    const replies = load.replies();
    const wrong = Object.keys(replies).filter((status) => status !== '200' && status !== '201');
    if (wrong.length > 0) throw new Error(`The load was not healthy: ${JSON.stringify(replies)}`);
    console.log(`  ${deployment.name}: no alert fired; replies ${JSON.stringify(replies)}`);
  }
}

/** @throws Error with all alerts that did not fire. */
async function injectFaults(running: readonly Running[], factor: number): Promise<readonly FiredAlert[]> {
  const watched = await Promise.allSettled(
    running.flatMap(({ deployment, load }) =>
      (FAULTS[deployment.name] ?? []).map((fault) => watchFault(fault, deployment, load, alerts, factor)),
    ),
  );
  const fired = watched.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  showFired(fired);
  const failures = watched.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return fired;
}

/** Readiness fails while the database is away. Liveness does not, so nothing restarts the processes. */
async function checkHealth({ api, worker }: AlertDeployment): Promise<void> {
  for (const { healthPort } of [api, worker]) {
    const url = `http://127.0.0.1:${healthPort}`;
    await untilStatus(`${url}/readyz`, 503);
    const live = await askHealth(`${url}/livez`);
    if (live?.status !== 200) throw new Error(`Without a database, /livez answers ${JSON.stringify(live)}.`);
  }
  console.log('Without a database, readiness fails and liveness does not.');
}

/** Each query must be valid everywhere, and must return data in at least one of the deployments. */
async function askDashboard(running: readonly Running[], factor: number): Promise<void> {
  const queries = readPanelQueries();
  for (const { panel, expr } of queries) {
    const interval = `${Math.max(8, Math.round(300 / factor))}s`;
    const query = expr.replaceAll('$__rate_interval', interval);
    const found = await Promise.all(running.map(({ deployment }) => deployment.prometheus.query(query)));
    const values = found.flat().filter(({ value: [, value] }) => value !== 'NaN');
    if (values.length === 0) throw new Error(`The panel "${panel}" is empty: ${query}`);
  }
  console.log(`Each of the ${queries.length} queries of the dashboard returns data.`);
}

function expectComplete(fired: readonly FiredAlert[]): void {
  const missing = alerts.filter(({ alert }) => !fired.some((each) => each.alert === alert));
  if (missing.length > 0) throw new Error(`No fault tests ${missing.map(({ alert }) => alert).join(', ')}.`);
}

function showFired(fired: readonly FiredAlert[]): void {
  for (const { alert, fault, afterSeconds, allowedSeconds } of fired) {
    const times = `after ${afterSeconds.toFixed(0)} s of ${allowedSeconds.toFixed(0)}`;
    console.log(`  ${alert.padEnd(34)} ${times.padEnd(22)} ${fault}`);
  }
}

// Each started process ends with this one.
process.setMaxListeners(50);
// An exit also ends the processes that this one has started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const { factor, healthySeconds, names } = readMode();
checkFiles();
const postgres = await startPostgresServer({ fsync: 'off' });
const running: Running[] = [];
try {
  for (const name of names) {
    const deployment = await startAlertDeployment(postgres.url, name, factor);
    running.push({ deployment, load: startPartnerLoad(deployment) });
  }
  await setTimeout(WARM_UP_SECONDS * 1_000);
  await stayHealthy(running, healthySeconds);
  const away = running.find(({ deployment }) => deployment.name === DATABASE_DEPLOYMENT);
  const [fired] = await Promise.all([
    injectFaults(running, factor),
    away === undefined ? undefined : checkHealth(away.deployment),
  ]);
  if (names.length === Object.keys(FAULTS).length) {
    expectComplete(fired);
    await askDashboard(running, factor);
  }
} finally {
  await Promise.allSettled(running.map(({ load }) => load.stop()));
  await Promise.allSettled(running.map(({ deployment }) => deployment.stop()));
  await postgres.stop();
}
