/**
 * Ratios against named baselines: one run, the two alternating, the median of the rounds.
 *
 * `npm run bench` takes the full figures, `npm run bench -- --quick` shows that the benchmarks work. A suite's
 * name runs that one alone; `--only=text` runs the measurements with the text in their names; `--help` shows the names. The suite
 * `earlier` measures this checkout against another one.
 */
import { cpus } from 'node:os';
import { type BenchArguments, readArguments, usage } from './arguments.js';
import { FULL, QUICK } from './compare.js';
import { benchBodies } from './suites/bodies.js';
import { benchConsole } from './suites/console.js';
import { benchDeliveries } from './suites/deliveries.js';
import { benchEarlier } from './suites/earlier.js';
import { benchEvidence } from './suites/evidence.js';
import { benchFind } from './suites/find.js';
import { benchInbox } from './suites/inbox.js';
import { benchLists } from './suites/lists.js';
import { benchManyKeys } from './suites/many-keys.js';
import { benchOperations } from './suites/operations.js';
import { benchPages } from './suites/pages.js';
import { benchPostgres } from './suites/postgres.js';
import { benchRequests } from './suites/requests.js';
import { benchSizing } from './suites/sizing.js';
import { benchSpread } from './suites/spread.js';
import { benchSqlite } from './suites/sqlite.js';
import { benchStart } from './suites/start.js';
import { benchSync } from './suites/sync.js';
import { benchTransactions } from './suites/transactions.js';
import { benchVerifier } from './suites/verifier.js';

const SUITES = {
  sqlite: benchSqlite,
  postgres: benchPostgres,
  transactions: benchTransactions,
  pages: benchPages,
  lists: benchLists,
  find: benchFind,
  'many-keys': benchManyKeys,
  spread: benchSpread,
  start: benchStart,
  inbox: benchInbox,
  requests: benchRequests,
  operations: benchOperations,
  sync: benchSync,
  bodies: benchBodies,
  deliveries: benchDeliveries,
  evidence: benchEvidence,
  sizing: benchSizing,
  console: benchConsole,
  verifier: benchVerifier,
  earlier: benchEarlier,
};

/** Wrong use is 2, as with most commands. */
const EXIT_USAGE = 2;

async function run({
  suites,
  isQuick,
  only,
  against,
  rows,
}: Extract<BenchArguments, { kind: 'run' }>): Promise<void> {
  const size = isQuick ? QUICK : FULL;
  console.log(
    `Node ${process.version}, ${cpus().length} cores, ${size.rounds} rounds of ${size.durationMs} ms`,
  );
  for (const [name, bench] of Object.entries(SUITES)) {
    if (suites.includes(name)) await bench(size, only, against ?? '', rows);
  }
}

const names = Object.keys(SUITES);
const asked = readArguments(process.argv.slice(2), names);
if (asked.kind === 'run') {
  await run(asked);
} else if (asked.kind === 'help') {
  console.log(usage(names));
} else {
  console.error(`${asked.message}\n\n${usage(names)}`);
  process.exitCode = EXIT_USAGE;
}
