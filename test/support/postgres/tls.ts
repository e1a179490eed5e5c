import { chmod, chown, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestCertificate } from '../network/self-signed.js';
import type { StartedPostgres } from './server.js';

/** Turns on TLS in a server of the test, with this certificate. */
export async function useCertificate(server: StartedPostgres, { cert, key }: TestCertificate): Promise<void> {
  const { uid, gid } = await stat(server.dataFolder);
  for (const [name, text] of [
    ['server.crt', cert],
    ['server.key', key],
  ] as const) {
    const file = join(server.dataFolder, name);
    await writeFile(file, text);
    // PostgreSQL refuses a key that others can read.
    await chmod(file, 0o600);
    await chown(file, uid, gid);
  }
  await reload(server, 'alter system set ssl = on');
}

/** Puts lines before those of the server's `pg_hba.conf`, so that they decide first. */
export async function addHbaLines(server: StartedPostgres, lines: readonly string[]): Promise<void> {
  const file = join(server.dataFolder, 'pg_hba.conf');
  await writeFile(file, `${lines.join('\n')}\n${await readFile(file, 'utf8')}`);
  await reload(server, 'select 1');
}

async function reload(server: StartedPostgres, command: string): Promise<void> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query(command);
    await client.query('select pg_reload_conf()');
  } finally {
    await client.end();
  }
}
