import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { startPooler } from '@partner-hiring/test-support/postgres/pooler';
import { Pool } from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createPostgresStorage } from './create-postgres-storage.js';
import { migratePostgres } from './migrate-postgres.js';
import { hazardsOf } from './server-settings.js';

async function createRole(setting: string) {
  const database = createTestSchema();
  const { schema, run } = database;
  const role = `role_${schema}`;
  await run(`create role ${role} login password 'secret'`);
  await run(`alter role ${role} set ${setting}`);
  await run(`create schema ${schema} authorization ${role}`);
  onTestFinished(async () => {
    await run(`drop owned by ${role}`);
    await run(`drop role ${role}`);
    await database.drop();
  });
  const url = new URL(database.connectionString);
  url.username = role;
  url.password = 'secret';
  return { connectionString: url.href, schema, run };
}

function commandIn(message: unknown): string {
  return /`(alter role .*?)`/.exec(String(message))?.[1] ?? '';
}

it.each(['at_start', 'never'] as const)(
  'a role whose transactions are read-only is refused, with the command that mends it (%s)',
  async (migrate) => {
    const { connectionString, schema, run } = await createRole('default_transaction_read_only = on');
    const options = { connectionString, schema };
    await migratePostgres(options);
    const refusal = await createPostgresStorage({ ...options, migrate }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'MISCONFIGURED' });

    await run(commandIn(refusal));
    const storage = await createPostgresStorage({ ...options, migrate });
    expect(await storage.direct.rateWindows.charge([{ bucketId: 'a', cost: 1 }])).toHaveLength(1);
    await storage.close();
  },
);

it.each([true, false])(
  'a pooler in statement mode is refused, with the setting that mends it (pipeline: %s)',
  async (pipeline) => {
    const { connectionString: direct, schema, drop } = createTestSchema();
    const { connectionString, close } = await startPooler(direct, { mode: 'statement' });
    const pool = new Pool({ connectionString, pipeline });
    onTestFinished(async () => {
      await pool.end();
      await close();
      await drop();
    });
    const refusal = expect.objectContaining({
      code: 'MISCONFIGURED',
      message: expect.stringContaining('`pool_mode = transaction`'),
    });
    await expect(migratePostgres({ pool, schema })).rejects.toEqual(refusal);
    await migratePostgres({ connectionString: direct, schema });
    for (const migrate of ['at_start', 'never'] as const) {
      await expect(createPostgresStorage({ pool, schema, migrate })).rejects.toEqual(refusal);
    }
  },
);

it('a role whose commits do not wait for the disk is warned of once, with the command that mends it', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const ofCommits = () =>
    warn.mock.calls.filter(([message]) => String(message).includes('synchronous_commit'));
  const { connectionString, schema, run } = await createRole('synchronous_commit = off');
  const open = () => createPostgresStorage({ connectionString, schema });
  await (await open()).close();
  await (await open()).close();
  expect(ofCommits()).toEqual([
    [expect.stringContaining('201'), { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' }],
  ]);

  await run(commandIn(ofCommits()[0]?.[0]));
  warn.mockClear();
  await (await open()).close();
  expect(ofCommits()).toEqual([]);
});

it('row level security that holds for the role is warned of, with the tables and the command that mends it', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const ofPolicies = () => warn.mock.calls.filter(([message]) => String(message).includes('security'));
  const { connectionString, schema, run } = await createRole('work_mem = 4096');
  const open = () => createPostgresStorage({ connectionString, schema });
  await (await open()).close();
  // Row level security does not apply to the owner by default.
  await run(`alter table ${schema}.ph_job enable row level security`);
  await (await open()).close();
  expect(ofPolicies()).toEqual([]);

  await run(`alter table ${schema}.ph_job force row level security`);
  await (await open()).close();
  expect(ofPolicies()).toEqual([
    [expect.stringContaining(`ph_job`), { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' }],
  ]);
  await run(commandIn(ofPolicies()[0]?.[0]));
  warn.mockClear();
  await (await open()).close();
  expect(ofPolicies()).toEqual([]);
});

it.each([
  [{ commits: 'off' }, [/`alter role … set synchronous_commit = on`/]],
  [{ fsync: 'off' }, [/`alter system set fsync = on`/]],
  [{ commits: 'off', fsync: 'off' }, [/synchronous_commit/, /fsync/]],
  [{}, []],
  [{ commits: 'local' }, []],
  [{ commits: 'remote_apply' }, []],
  [{ takenOverBy: 'a_standby' }, [/has a standby, .*`alter system set synchronous_standby_names = '\*'`/]],
  [{ takenOverBy: 'another_host' }, [/names several hosts, .*synchronous_standby_names/]],
  [{ takenOverBy: 'a_standby', synchronousStandbys: '*' }, []],
  [{ synchronousStandbys: '*' }, []],
  [
    { synchronousStandbys: '*', commits: 'local' },
    [/synchronous_commit. is local.*`alter role … set synchronous_commit = on`/],
  ],
] satisfies [Partial<Parameters<typeof hazardsOf>[0]>, RegExp[]][])(
  'of %j is warned as it endangers what was acknowledged',
  (changes, hazards) => {
    const safe = { commits: 'on', fsync: 'on', synchronousStandbys: '', takenOverBy: null };
    const found = hazardsOf({ ...safe, ...changes, alterRole: 'alter role … set ' });
    expect(found).toEqual(hazards.map((hazard) => expect.stringMatching(hazard)));
  },
);
