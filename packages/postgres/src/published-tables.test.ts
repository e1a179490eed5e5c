import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createPostgresStorage } from './create-postgres-storage.js';

const { connectionString, schema, run, drop } = createTestSchema();

beforeEach(async () => {
  // As Supabase sets up the schema `public`.
  for (const role of ['anon', 'authenticated']) {
    await run(`do $$ begin create role ${role}; exception when duplicate_object then null; end $$`);
  }
  await run(`create schema ${schema}; grant usage on schema ${schema} to anon, authenticated;
    alter default privileges in schema ${schema} grant all on tables to anon, authenticated`);
  onTestFinished(async () => {
    await drop();
    for (const role of ['anon', 'authenticated']) await run(`drop role ${role}`);
  });
});

async function warnings(): Promise<string> {
  const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  await (await createPostgresStorage({ connectionString, schema })).close();
  const texts = emitted.mock.calls.map(([text]) => String(text));
  emitted.mockRestore();
  return texts.join('\n');
}

it('tables that an API such as Supabase publishes cause a warning with the fix, which ends it', async () => {
  const warned = await warnings();
  expect(warned).toMatch(
    /roles anon, authenticated may use tables .*such as ph_access, ph_\w+, .*Supabase.*the default `partner_hiring`\. Otherwise run `revoke all on … from anon, authenticated`/,
  );
  await run(`revoke all on all tables in schema ${schema} from anon, authenticated`);
  expect(await warnings()).not.toContain('Supabase');
});

it('nobody is told to disable row level security where such an API may serve the schema', async () => {
  await (await createPostgresStorage({ connectionString, schema })).close();
  await run(`alter table ${schema}.ph_job enable row level security, force row level security;
    revoke all on all tables in schema ${schema} from anon, authenticated`);
  const role = `app_${schema}`;
  await run(`create role ${role} login password 'secret'`);
  onTestFinished(async () => void (await run(`drop role ${role}`)));
  await run(
    `grant all on schema ${schema} to ${role}; grant all on all tables in schema ${schema} to ${role}`,
  );
  onTestFinished(async () => void (await run(`drop owned by ${role}`)));
  const url = Object.assign(new URL(connectionString), { username: role, password: 'secret' });

  const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  await (await createPostgresStorage({ connectionString: url.href, schema, migrate: 'never' })).close();
  const warned = emitted.mock.calls.map(([text]) => String(text)).join('\n');
  expect(warned).toMatch(
    /Row level security applies .*`alter role app_\w+ bypassrls`\. Leave row level security on/,
  );
  expect(warned).not.toContain('disable row level security');
  expect(warned).not.toContain('Supabase');
});
