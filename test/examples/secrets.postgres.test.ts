import { inspect } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openProcess } from '../../examples/operations/open-process.js';
import { readProcessSettings } from '../../examples/operations/settings.js';
import { openDatabase } from '../../examples/platform/database/open-database.js';
import { readHost, readPort, readSettings } from '../../examples/server/settings.js';

const PASSWORD = 'Hunter2Password';

/** Nothing listens on port 1. */
const ADDRESSES = [
  `"postgres://app:${PASSWORD}@127.0.0.1:1/x"`,
  `jdbc:postgresql://127.0.0.1:1/x?user=app&password=${PASSWORD}`,
  `postgres:/app:${PASSWORD}@127.0.0.1:1/x`,
  `host=127.0.0.1 port=1 password=${PASSWORD}`,
  `postgres://app:${PASSWORD}#@127.0.0.1:1/x`,
  `postgres://app:${PASSWORD}@127.0.0.1:1/x`,
];

/** Returns what Node prints of an error that nobody catches. */
async function failureOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return inspect(error, { depth: 10, showHidden: true });
  }
  throw new Error('It does not fail.');
}

test.each(ADDRESSES)('the examples do not print the address of a database: %s', async (address) => {
  const settings = {
    ...readProcessSettings({ DATABASE_URL: address, PARTNER_HIRING_SEALING_KEY: '0'.repeat(64) }),
  };
  expect(await failureOf(() => openProcess(settings))).not.toContain(PASSWORD);
  vi.stubEnv('DATABASE_URL', address);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await failureOf(() => openDatabase())).not.toContain(PASSWORD);
  for (const name of ['DATABASE_FILE', 'WEBHOOK_URL', 'SANDBOX_WEBHOOK_URL', 'HOST', 'PORT']) {
    expect(await failureOf(() => readSettings({ [name]: address }))).not.toContain(PASSWORD);
  }
  expect(await failureOf(() => readHost({ HOST: address }))).not.toContain(PASSWORD);
  expect(await failureOf(() => readPort({ PORT: address }, 'PORT', 3000))).not.toContain(PASSWORD);
});
