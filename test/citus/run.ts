/**
 * Runs the storage suite and the scenarios on Citus, each schema in one shard of a node:
 * `npm run test:citus -- postgres://postgres@localhost:5432/postgres`
 *
 * With `--stop-node` and `--start-node`, shell commands that kill and start the server of the nodes, it also kills it in a storm
 * of submissions. With a `--` after the URL, the rest goes to Vitest.
 */
import { parseArgs } from 'node:util';
import { runCommand } from '../tools/matrix/run-command.js';

const USAGE =
  'Usage: npm run test:citus -- postgres://user@coordinator:5432/database [--stop-node <command> --start-node <command>] [-- <options of vitest>]';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'stop-node': { type: 'string' }, 'start-node': { type: 'string' } },
});
const [url, ...forVitest] = positionals;
const { 'stop-node': stop, 'start-node': start } = values;
if (url === undefined || !URL.canParse(url) || (stop === undefined) !== (start === undefined)) {
  console.error(USAGE);
  process.exit(2);
}

const env = {
  ...process.env,
  CITUS_URL: url,
  CITUS_STOP_NODE: stop ?? '',
  CITUS_START_NODE: start ?? '',
};
await runCommand('.', env, 'npx', ['vitest', 'run', '--config', 'test/citus/vitest.config.ts', ...forVitest]);
