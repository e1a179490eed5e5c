import { randomBytes } from 'node:crypto';
import { dropSchemas } from '@partner-hiring/test-support/postgres/setup';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';

/** Distributes every schema that a connection creates. */
const SCHEMAS = '-c citus.enable_schema_based_sharding=on';

/** Uses the coordinator of `CITUS_URL`. Each test has schemas of its own, which are removed afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.CITUS_URL ?? '';
  await assertCoordinator(given);
  const url = new URL(given);
  url.searchParams.set('options', SCHEMAS);
  const run = `test_${randomBytes(4).toString('hex')}`;
  project.provide('postgresUrl', url.href);
  project.provide('postgresRun', run);
  return () => dropSchemas(url.href, run);
}

const ASK = `select
  (select count(*)::int from citus_get_active_worker_nodes()) as nodes,
  citus_version() as version`;

async function assertCoordinator(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ nodes: number; version: string }>(ASK);
    const { nodes = 0, version = '' } = rows[0] ?? {};
    if (nodes === 0)
      throw new Error('The coordinator has no nodes. Add one with `select citus_add_node(…)`.');
    console.log(`${version}: ${nodes} nodes`);
  } finally {
    await client.end();
  }
}
