import { describe, expect, it } from 'vitest';
import { createPostgresStorage, type PostgresStorageOptions } from './create-postgres-storage.js';
import { listenForWork, type WorkListenerOptions } from './listen-for-work.js';
import { migratePostgres } from './migrate-postgres.js';
import { type PostgresMigrationSqlOptions, postgresMigrationSql } from './migration-sql.js';

/** No server listens here. */
const connectionString = 'postgres://nobody@127.0.0.1:1/none';

describe('what JavaScript lets through is refused, with what it may be', () => {
  it.each<readonly [string, unknown, RegExp]>([
    ['a misspelt `migrate`', { connectionString, migrate: 'Never' }, /`migrate`.*'at_start' or 'never'/],
    ['a `migrate` that is no text', { connectionString, migrate: false }, /`migrate`.*'at_start' or 'never'/],
    [
      'a switch of the environment',
      { connectionString, preparedStatements: 'false' },
      /`preparedStatements`.*true or false/,
    ],
    ['a switch that is null', { connectionString, announceWork: null }, /`announceWork`.*true or false/],
    ['an empty address', { connectionString: '' }, /`connectionString` is empty.*variable/],
    ['a blank one', { connectionString: ' ' }, /`connectionString` is empty/],
    ['one that is not set', { connectionString: undefined }, /`connectionString` is empty/],
    ['neither address nor pool', {}, /`connectionString` is empty.*`pool/],
    ['a URL', { connectionString: new URL(connectionString) }, /`connectionString`.*text/],
    [
      'an option that does not exist',
      { connectionString, maxConnection: 5, shema: 'x' },
      /^createPostgresStorage was given `maxConnection`, `shema`, which do not exist\. .*`maxConnections`.*`schema`/,
    ],
    [
      'one that is undefined',
      { connectionString, Pool: undefined },
      /`Pool`, which does not exist\. .*`pool`/,
    ],
    [
      'a time-out that does not exist',
      { connectionString, timeouts: { lockMS: 5 } },
      /`timeouts\.lockMS`, which does not exist\. .*`timeouts\.lockMs`/,
    ],
    ['no options', undefined, /`connectionString`.*`pool`/],
    ['an address for options', connectionString, /`connectionString`.*`pool`/],
  ])('%s', async (_what, options, message) => {
    const opening = createPostgresStorage(options as PostgresStorageOptions);
    await expect(opening).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringMatching(message),
    });
  });

  it('an option that does not exist is refused by all that take options', async () => {
    const worker = { wake: () => {} };
    const options = { connectionString, shema: 'mine', worker };
    const refusal = (maker: string) =>
      expect.objectContaining({
        code: 'MISCONFIGURED',
        message: expect.stringMatching(new RegExp(`^${maker} was given .*\`shema\`.*\`schema\``)),
      });
    await expect(migratePostgres(options)).rejects.toThrow(refusal('migratePostgres'));
    expect(() => listenForWork(options)).toThrow(refusal('listenForWork'));
    expect(() => postgresMigrationSql({ shema: 'mine' } as object)).toThrow(refusal('postgresMigrationSql'));
  });

  it('by what listens too', () => {
    const worker = { wake: () => {} };
    const refusal = expect.objectContaining({ code: 'MISCONFIGURED' });
    expect(() => listenForWork({ connectionString: '', worker })).toThrow(refusal);
  });

  it('by what listens without a worker, or with what holds one', () => {
    for (const worker of [undefined, { worker: { wake: () => {} } }]) {
      expect(() => listenForWork({ connectionString, worker } as unknown as WorkListenerOptions)).toThrow(
        expect.objectContaining({
          code: 'MISCONFIGURED',
          message: expect.stringContaining('`worker: partnerHiring.worker`'),
        }),
      );
    }
  });

  it.each(['', 'pg_mine', 7, null])(
    'a role that is none, %j, is told as the role, not as the schema',
    (grantTo) => {
      expect(() => postgresMigrationSql({ grantTo } as PostgresMigrationSqlOptions)).toThrow(
        expect.objectContaining({
          code: 'MISCONFIGURED',
          message: expect.stringMatching(/`grantTo`(?!.*schema)/),
        }),
      );
    },
  );

  it.each([7, null])('a schema that is no text, %j, before anybody is asked', async (schema) => {
    const misconfigured = { code: 'MISCONFIGURED', message: expect.stringContaining('`schema`') };
    const options = { connectionString, schema } as unknown as PostgresStorageOptions;
    await expect(createPostgresStorage(options)).rejects.toMatchObject(misconfigured);
    await expect(migratePostgres(options)).rejects.toMatchObject(misconfigured);
  });

  it.each(['1', Number.NaN, -1, null])(
    'a version that is no number of a migration, %j, would leave some out',
    (from) => {
      const options = { from } as PostgresMigrationSqlOptions;
      expect(() => postgresMigrationSql(options)).toThrow(expect.objectContaining({ code: 'MISCONFIGURED' }));
    },
  );
});

describe('what cannot be meant', () => {
  it.each<[string, Partial<PostgresStorageOptions>]>([
    ['a time-out of 0', { timeouts: { lockMs: 0 } }],
    ['a time-out longer than a timer', { timeouts: { statementMs: 2 ** 31 } }],
    ['no connections', { maxConnections: 0 } as Partial<PostgresStorageOptions>],
  ])('%s is refused', async (_, options) => {
    const opening = createPostgresStorage({ connectionString, ...options } as PostgresStorageOptions);
    await expect(opening).rejects.toMatchObject({ code: 'MISCONFIGURED' });
  });

  const unreadable = 'postgres://user:pa#ss@127.0.0.1/db';
  const misconfigured = {
    code: 'MISCONFIGURED',
    message: expect.stringMatching(/^(?!.*pa#ss).*percent-encoded/),
  };

  it.each([
    '"postgres://user:pa#ss@127.0.0.1/db"',
    'jdbc:postgresql://127.0.0.1/db?user=u&password=pa#ss',
    'postgres:/user:pa#ss@127.0.0.1/db',
    'host=127.0.0.1 password=pa#ss',
    '//user:pa#ss@127.0.0.1/db',
    'DATABASE_URL=postgres://user:pa#ss@127.0.0.1/db',
  ])('a connection string in another form, %s, is refused without its password', async (connectionString) => {
    const refusal = {
      code: 'MISCONFIGURED',
      message: expect.stringMatching(/^(?!.*pa#ss).*must be postgres:\/\//),
    };
    await expect(createPostgresStorage({ connectionString })).rejects.toMatchObject(refusal);
    await expect(migratePostgres({ connectionString })).rejects.toMatchObject(refusal);
  });

  it('a connection string that pg cannot read is refused by name, without its password', async () => {
    await expect(createPostgresStorage({ connectionString: unreadable })).rejects.toMatchObject(
      misconfigured,
    );
    const worker = { wake: () => {} };
    expect(() => listenForWork({ connectionString: unreadable, worker })).toThrow(
      expect.objectContaining(misconfigured),
    );
  });
});
