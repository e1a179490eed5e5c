import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse as parseYaml } from 'yaml';
import { freePort } from '../../../examples/platform/database/embedded-postgres.js';
import { stopChild } from '../../../examples/server/demo/stop-child.js';
import { compressRules } from './compress.js';

/** The folder of the example's rules. */
export const RULES_FOLDER = fileURLToPath(
  new URL('../../../examples/operations/prometheus/', import.meta.url),
);

/** A row of a query's result. */
export interface QuerySample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

interface Config {
  readonly global: Readonly<Record<string, string>>;
  readonly scrape_configs: readonly Readonly<Record<string, unknown>>[];
}

const SCRAPE_SECONDS = 15;
/** A busy machine answers a scrape within this time, which also is the timeout of a compressed scrape. */
const SHORTEST_SCRAPE_SECONDS = 2;
const START_MS = 30_000;
const STOP_MS = 10_000;
const QUERY_MS = 10_000;

/**
 * Starts Prometheus on loopback with `prometheus.yml` and `alerts.yml`, with other targets.
 *
 * @param factor - divides all times of the configuration and the rules.
 */
export async function startPrometheus(targets: readonly string[], factor: number) {
  const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-prometheus-'));
  const port = await freePort();
  await writeConfig(folder, targets, factor);
  const child = spawn(
    'prometheus',
    [
      '--config.file=prometheus.yml',
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const endWithUs = () => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const stop = async () => {
    await stopChild(child, STOP_MS);
    process.off('exit', endWithUs);
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(child, `${url}/-/ready`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { query: (expression: string) => ask(url, expression), stop };
}

async function writeConfig(folder: string, targets: readonly string[], factor: number): Promise<void> {
  const config = parseYaml(await readFile(join(RULES_FOLDER, 'prometheus.yml'), 'utf8')) as Config;
  const scrape = `${Math.max(SHORTEST_SCRAPE_SECONDS, Math.round(SCRAPE_SECONDS / factor))}s`;
  const changed = {
    global: {
      ...config.global,
      scrape_interval: scrape,
      evaluation_interval: `${Math.max(1, Math.round(SCRAPE_SECONDS / factor))}s`,
      ...(factor === 1 ? {} : { scrape_timeout: scrape }),
    },
    rule_files: ['alerts.yml'],
    scrape_configs: config.scrape_configs.map((job) => ({ ...job, static_configs: [{ targets }] })),
  };
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(changed));
  const rules = await readFile(join(RULES_FOLDER, 'alerts.yml'), 'utf8');
  await writeFile(join(folder, 'alerts.yml'), factor === 1 ? rules : compressRules(rules, factor));
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4_000);
  });
  for (const deadline = performance.now() + START_MS; ; await setTimeout(100)) {
    const isReady = await fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (child.exitCode !== null || performance.now() > deadline) {
      throw new Error(`Prometheus did not start:\n${log}`);
    }
  }
}

async function ask(url: string, query: string): Promise<readonly QuerySample[]> {
  const reply = await fetch(`${url}/api/v1/query`, {
    method: 'POST',
    body: new URLSearchParams({ query }),
    signal: AbortSignal.timeout(QUERY_MS),
  });
  const answer = (await reply.json()) as {
    readonly status: string;
    readonly error?: string;
    readonly data?: { readonly result: readonly QuerySample[] };
  };
  if (answer.status !== 'success') throw new Error(`${query}: ${answer.error}`);
  return answer.data?.result ?? [];
}
