import { expect, it } from 'vitest';
import { createSqliteStorage } from './create-sqlite-storage.js';
import { assertPlainPath } from './file-identity.js';

it.each([
  ['file:./dev.db', './dev.db'],
  ['file:dev.db?connection_limit=1', 'dev.db'],
  ['file:../data/dev.db?mode=rwc&cache=shared', '../data/dev.db'],
  ['file:/var/lib/app.db', '/var/lib/app.db'],
  ['file:///var/lib/my%20app.db', '/var/lib/my app.db'],
  ['FILE:dev.db', 'dev.db'],
  ['"file:./dev.db"', './dev.db'],
  ["'./dev.db'", './dev.db'],
  ['`dev.db`', 'dev.db'],
  [' file:./dev.db ', './dev.db'],
  ['sqlite:dev.db', 'dev.db'],
  ['sqlite://dev.db', 'dev.db'],
  ['sqlite://./dev.db', './dev.db'],
  ['sqlite:///var/app.db', '/var/app.db'],
  ['sqlite:////var/app.db', '/var/app.db'],
  ['jdbc:sqlite:dev.db', 'dev.db'],
  ['libsql:dev.db', 'dev.db'],
  ['file:', 'partner-hiring.sqlite'],
])('%s is refused with the path %s', (file, path) => {
  expect(() => assertPlainPath(file)).toThrow(
    expect.objectContaining({ code: 'MISCONFIGURED', message: expect.stringContaining(`'${path}'`) }),
  );
});

it.each([
  'dev.db',
  './my data.db',
  '/var/lib/app.db',
  String.raw`C:\data\app.db`,
  'profile:x.db',
  ' dev.db ',
])('%s is a path', (file) => {
  expect(() => assertPlainPath(file)).not.toThrow();
});

it('a storage refuses the URL of Prisma with the path', async () => {
  await expect(createSqliteStorage({ file: 'file:./dev.db' })).rejects.toThrow(
    "Pass the path alone: './dev.db'.",
  );
});
