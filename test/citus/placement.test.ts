import { createPostgresStorage } from '@partner-hiring/postgres';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { expect, it, onTestFinished } from 'vitest';

it('all tables of a schema are shards of one node, which is not the coordinator', async () => {
  const { connectionString, schema, run, drop } = createTestSchema();
  onTestFinished(drop);
  await (await createPostgresStorage({ connectionString, schema })).close();
  const placed = `select table_name::regclass::oid as id, nodename, nodeport from citus_shards where table_name::text like $1`;
  const rows = await run(placed, [`${schema}.ph_%`]);
  const [tables] = await run(
    "select count(*)::int as count from pg_class where relnamespace = $1::regnamespace and relkind = 'r'",
    [schema],
  );
  expect(rows.length).toBe(tables?.count);
  expect(rows.length).toBeGreaterThan(25);
  const nodes = new Set(rows.map(({ nodename, nodeport }) => `${nodename}:${nodeport}`));
  expect(nodes.size).toBe(1);
  const [node] = await run(
    "select count(*)::int as count from pg_dist_node where groupid = 0 and nodename || ':' || nodeport = $1",
    [[...nodes][0]],
  );
  expect(node?.count).toBe(0);
});
