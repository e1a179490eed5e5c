import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDatabaseValue } from './database-value.js';

test.each([
  'postgres://app@db/x',
  'POSTGRESQL://app:p%23ss@db.internal:5432/hiring?sslmode=verify-full&application_name=x',
  'postgres://app:raw@sign@db1:5432,db2:5432/hiring',
  'postgres://app:s3cret@[::1]:5432/x',
  'postgres:///hiring?host=/var/run/postgresql&user=app&password=s3cret',
  'postgres://a:1,b:2/x',
])('%s is a PostgreSQL URL', (text) => {
  expect(readDatabaseValue(` ${text} `)).toEqual({ kind: 'postgres', connectionString: text });
});

test.each([
  'data/x.sqlite',
  './my data.sqlite',
  '../a@b=c.sqlite',
  '/var/lib/app/x.sqlite',
  String.raw`C:\data\x.sqlite`,
  'x.sqlite',
])('%s is a file', (text) => {
  expect(readDatabaseValue(text)).toEqual({ kind: 'sqlite', file: resolve(text) });
});

test('a name with unusual characters is a file if it exists, or its folder does', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'me@work'));
  writeFileSync(join(folder, 'me@work', 'a=b.sqlite'), '');
  for (const name of ['me@work/a=b.sqlite', 'me@work/new.sqlite']) {
    const file = join(folder, name);
    for (const text of [file, `file:${file}`, `file://${file}`]) {
      expect(readDatabaseValue(text)).toEqual({ kind: 'sqlite', file });
    }
  }
  expect(readDatabaseValue(join(folder, 'you@work', 'x.sqlite')).kind).toBe('refused');
});

test.each([
  ['"postgres://app:s3cret@db/x"', 'quotes'],
  ["'data/x.sqlite'", 'quotes'],
  ['jdbc:postgresql://db/x?user=app&password=s3cret', 'jdbc:'],
  ['postgres:/app:s3cret@db/x', 'two slashes'],
  ['host=db user=app password=s3cret', 'settings'],
  ['mysql://root:s3cret@db/x', 'mysql://'],
  ['postgres://app:s3#cret@db/x', 'percent-encoded'],
  ['postgres://app:s3cret/x', 'percent-encoded'],
])('the refusal of %s says what is wrong', (text, hint) => {
  const read = readDatabaseValue(text);
  expect(read).toMatchObject({ kind: 'refused', problem: expect.stringContaining(hint) });
});

const WORD = fc.stringMatching(/^[A-Za-z0-9]{8,24}$/);
const MARK = fc.constantFrom('"', "'", '`', '“', '<', '=', ';', ' ', '@', '{', '?', '#', '\n', '\u001b', ':');

test('no refusal repeats a part of the value', () => {
  fc.assert(
    fc.property(WORD, fc.array(MARK, { minLength: 1, maxLength: 3 }), fc.nat(3), (word, marks, place) => {
      const parts = ['postgres', '://app:', `${word}@db`, '/hiring'];
      parts.splice(place, 0, marks.join(''));
      const read = readDatabaseValue(parts.join(''));
      expect(read.kind === 'refused' ? read.problem : '').not.toContain(word);
      expect(read.kind).not.toBe('sqlite');
    }),
  );
});
