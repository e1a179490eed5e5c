/** Migrations by roles with few rights, and where event triggers refuse them. */
import { createTestSchema, type TestSchema } from '@partner-hiring/test-support/postgres/database';
import { runScript } from '@partner-hiring/test-support/postgres/schemas';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createPostgresStorage } from './create-postgres-storage.js';
import { migratePostgres } from './migrate-postgres.js';
import { postgresMigrationSql } from './migration-sql.js';
import { postgresMigrations } from './migrations.js';

const all = postgresMigrations().map(({ version, name }) => ({ version, name }));

let database: TestSchema;
beforeEach(() => {
  database = createTestSchema();
});
afterEach(() => database.drop());

const applied = () =>
  database.run(`select version, name from ${database.schema}.ph_schema_migration order by version`);

async function createRole(): Promise<{ role: string; connectionString: string; drop(): Promise<void> }> {
  const role = `role_${database.schema}`;
  await database.run(`create role ${role} login password 'secret'`);
  const url = new URL(database.connectionString);
  url.username = role;
  url.password = 'secret';
  return {
    role,
    connectionString: url.href,
    drop: async () => void (await database.run(`drop owned by ${role}; drop role ${role}`)),
  };
}

describe('migrations', () => {
  it('as SQL grant a restricted role the use of the tables', async () => {
    const { schema } = database;
    const { role, connectionString, drop } = await createRole();
    const open = (migrate: 'at_start' | 'never') =>
      createPostgresStorage({ connectionString, schema, migrate });
    await expect(open('at_start')).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringContaining('postgresMigrationSql'),
    });
    await runScript(database.run, postgresMigrationSql({ schema, grantTo: role }));
    for (const migrate of ['at_start', 'never'] as const) {
      const storage = await open(migrate);
      const added = await storage.direct.partners.add({ id: `ptn_${migrate}`, name: 'P', createdAt: 1 });
      expect(added).toBe('added');
      await storage.close();
    }
    expect(await applied()).toEqual(all);
    await drop();
  });

  it('run by another role name the SQL that grants the use of existing tables', async () => {
    const { schema } = database;
    const { role, connectionString, drop } = await createRole();
    await migratePostgres({ connectionString: database.connectionString, schema });
    const open = () => createPostgresStorage({ connectionString, schema, migrate: 'never' });
    await expect(open()).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringContaining('highest version in `ph_schema_migration`'),
    });
    await database.run(postgresMigrationSql({ schema, from: all.length, grantTo: role }));
    await (await open()).close();
    await drop();
  });

  it.each([
    ['forbids DDL', 'ddl_command_start', "raise exception 'Ask the DBA.';", /Ask the DBA/],
    [
      'puts tables under row level security',
      'ddl_command_end',
      `for made in select * from pg_event_trigger_ddl_commands() where command_tag = 'CREATE TABLE' loop
         execute format('alter table %s enable row level security, force row level security', made.object_identity);
       end loop;`,
      /row-level security/,
    ],
  ])('that an event trigger refuses are told with the way out: it %s', async (_, event, body, cause) => {
    const { role, connectionString, drop } = await createRole();
    const name = database.schema;
    await database.run(`create database ${name} owner ${role}`);
    onTestFinished(async () => {
      await database.run(`drop database ${name} with (force)`);
      await drop();
    });
    const inDatabase = (address: string) => Object.assign(new URL(address), { pathname: `/${name}` }).href;
    const { run } = createTestSchema(inDatabase(database.connectionString));
    await run(`create function refuse() returns event_trigger language plpgsql security definer
      as $$ declare made record; begin ${body} end $$`);
    await run(`create event trigger refuse on ${event} execute function refuse()`);

    const migrating = migratePostgres({ connectionString: inDatabase(connectionString) });
    await expect(migrating).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringMatching(/refused.*trigger.*postgresMigrationSql/s),
      cause: { message: expect.stringMatching(cause) },
    });
    await run('drop event trigger refuse');
    await migratePostgres({ connectionString: inDatabase(connectionString) });
  });

  it('work in an existing schema for a role that may create only there', async () => {
    const { schema } = database;
    const { role, connectionString, drop } = await createRole();
    await database.run(`create schema ${schema} authorization ${role}`);
    await migratePostgres({ connectionString, schema });
    expect(await applied()).toEqual(all);
    await drop();
  });
});
