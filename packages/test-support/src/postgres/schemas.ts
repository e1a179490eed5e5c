import { createTestSchema, type TestSchema } from './database.js';

/** Unused schemas of this file. Emptying one is ten times as fast as creating one. */
const left: TestSchema[] = [];

/** Returns a schema with empty tables, or without tables. */
export function takeSchema(): TestSchema {
  return left.pop() ?? createTestSchema();
}

/** Empties the tables for the next test. Close its storages first. */
export async function leaveSchema(database: TestSchema): Promise<void> {
  await emptyTables(database);
  left.push(database);
}

/** All tables, referencing ones first. */
const TABLES = [
  'resume_task',
  'alert',
  'attempt',
  'delivery',
  'endpoint',
  'event',
  'rate_window',
  'idempotency',
  'application',
  'key_job',
  'feed_head',
  'job',
  'access',
  'company',
  'key_secret',
  'partner_key',
  'partner',
];

async function emptyTables({ run, schema }: TestSchema): Promise<void> {
  await run(TABLES.map((table) => `delete from ${schema}.ph_${table}`).join('; '));
}
