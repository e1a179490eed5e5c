import { createPartnerHiring } from '@partner-hiring/core';
import {
  createTestDatabase,
  type DatabaseLocation,
  type HostTransaction,
} from '@partner-hiring/test-support/storages';
import { expect, onTestFinished } from 'vitest';
import { runCli } from './run-cli.js';

/** The key of the server, for `PARTNER_HIRING_SEALING_KEY`. */
export const SEALING_KEY = '0123456789abcdef'.repeat(4);

/** A server with a database, and the program on the same database. */
export type CliServer = Awaited<ReturnType<typeof openServer>>;

/** Opens a server on the database of the Vitest project, on PostgreSQL with so many cells. It is closed after the test. */
export async function openServer(cells?: number) {
  const database = await createTestDatabase(cells);
  onTestFinished(() => database.remove());
  const storage = await database.open({ now: Date.now });
  const partnerHiring = createPartnerHiring<HostTransaction, unknown>({
    storage,
    secretKey: SEALING_KEY,
    sandbox: true,
  });
  onTestFinished(() => partnerHiring.close());
  const connection = connectionOf(database.location);
  const cli = async (...words: readonly string[]) => {
    const run = await runCli([...connection, ...words], { env: { PARTNER_HIRING_SEALING_KEY: SEALING_KEY } });
    // The URL of a database may contain its password.
    for (const printed of [run.stdout, run.stderr]) expect(printed).not.toContain(connection[1]);
    return run;
  };
  return {
    partnerHiring,
    storage,
    /** The options that name the database. */
    connection,
    /** Runs the program with the sealing key. */
    cli,
    /** Runs the program, which must exit with 0, and returns what `--json` prints. */
    json: async (...words: readonly string[]) => {
      const { code, stdout, stderr } = await cli(...words, '--json');
      if (code !== 0) throw new Error(`${words.join(' ')} exited with ${code}: ${stderr}${stdout}`);
      return JSON.parse(stdout);
    },
  };
}

function connectionOf(location: DatabaseLocation): readonly string[] {
  if (location.kind === 'sqlite') return ['--database', location.file];
  const { connectionString, schemas } = location;
  const names = 'schema' in schemas ? ['--schema', schemas.schema] : ['--schemas', schemas.schemas.join(',')];
  return ['--database', connectionString, ...names];
}
