import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { onTestFinished } from 'vitest';
import type { DoctorStage } from './doctor-stage.js';

/** The URL of the server, and the schema of the tables. */
export function addressOf({ database }: DoctorStage) {
  if (database.kind !== 'postgres') throw new Error('These tests need PostgreSQL.');
  return { ...database, schema: database.schema ?? '' };
}

/** Returns a URL with a change. */
export function withUrl(connectionString: string, change: (url: URL) => void): string {
  const url = new URL(connectionString);
  change(url);
  return url.href;
}

/** Creates a role that may log in, and nothing else. The test drops it. */
export async function createRole(serverUrl: string, settings: readonly string[] = [], password = 'secret') {
  const owner = createTestSchema(serverUrl);
  const role = `role_${owner.schema}`;
  await owner.run(`create role ${role} login password '${password}'`);
  for (const setting of settings) await owner.run(`alter role ${role} set ${setting}`);
  onTestFinished(async () => {
    await owner.run(`drop owned by ${role}`);
    await owner.run(`drop role ${role}`);
  });
  const connectionString = withUrl(owner.connectionString, (url) => {
    url.username = role;
    url.password = password;
  });
  return { role, connectionString, run: owner.run };
}
