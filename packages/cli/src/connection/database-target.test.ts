import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../command/command-error.js';
import { readDatabaseTarget } from './database-target.js';

test.each(['postgres://ada@db/x', 'postgresql://ada@db/x', 'POSTGRES://ada@db/x', 'postgres://a:1,b:2/x'])(
  '%s is a database on PostgreSQL',
  (database) => {
    expect(readDatabaseTarget({ database, schema: 'api' }, {})).toEqual({
      kind: 'postgres',
      connectionString: database,
      schema: 'api',
      source: '--database',
    });
  },
);

test.each([
  ['data/x.sqlite', resolve('data/x.sqlite')],
  ['/var/x.sqlite', '/var/x.sqlite'],
  ['file:dev.db', resolve('dev.db')],
  ['file:dev.db?mode=rwc', resolve('dev.db')],
  ['file:///var/x%20y.sqlite', '/var/x y.sqlite'],
])('%s is a SQLite file', (database, file) => {
  expect(readDatabaseTarget({ database }, {})).toEqual({ kind: 'sqlite', file, source: '--database' });
});

test('the option comes first, then the variable of this program, then DATABASE_URL', () => {
  const env = { PARTNER_HIRING_DATABASE: 'a.sqlite', DATABASE_URL: 'b.sqlite' };
  expect(readDatabaseTarget({ database: 'c.sqlite' }, env)).toMatchObject({ file: resolve('c.sqlite') });
  expect(readDatabaseTarget({}, env)).toMatchObject({
    file: resolve('a.sqlite'),
    source: 'PARTNER_HIRING_DATABASE',
  });
  expect(readDatabaseTarget({}, { ...env, PARTNER_HIRING_DATABASE: '' })).toMatchObject({
    source: 'DATABASE_URL',
  });
});

test.each(['mysql://root:hunter2@db/x', 'http://db/x', 'file://other-host/x.sqlite'])(
  'the target of a database refuses %s',
  (database) => {
    const read = () => readDatabaseTarget({ database }, {});
    expect(read).toThrow(UsageError);
    expect(read).not.toThrow('hunter2');
  },
);
