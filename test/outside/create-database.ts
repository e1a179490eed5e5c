import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Creates an empty database on this server, and returns its connection string. */
export async function createDatabase(serverUrl: string): Promise<string> {
  const name = `outside_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
