/**
 * Ratios against named baselines: one run, the two alternating, the median of the rounds.
 *
 * `npm run bench` takes the full figures, `npm run bench -- --quick` shows that the benchmarks work. A suite's
 * name runs that one alone; `--only=text` runs what has the text in its name.
 */
import { cpus } from 'node:os';
import { FULL, QUICK } from './compare.js';
import { benchDeliveries } from './suites/deliveries.js';
import { benchPages } from './suites/pages.js';
import { benchPostgres } from './suites/postgres.js';
import { benchSqlite } from './suites/sqlite.js';

const SUITES = {
  sqlite: benchSqlite,
  postgres: benchPostgres,
  pages: benchPages,
  deliveries: benchDeliveries,
};

const args = process.argv.slice(2);
const size = args.includes('--quick') ? QUICK : FULL;
const only = args.find((arg) => arg.startsWith('--only='))?.slice('--only='.length) ?? '';
const wanted = Object.entries(SUITES).filter(([name]) => args.includes(name));

console.log(
  `Node ${process.version}, ${cpus().length} cores, ${size.rounds} rounds of ${size.durationMs} ms`,
);
for (const [, run] of wanted.length > 0 ? wanted : Object.entries(SUITES)) await run(size, only);
