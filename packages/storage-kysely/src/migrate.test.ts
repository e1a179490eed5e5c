import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readMigrations } from './migrate.js';

let root: string;
let folder: URL;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ph-migrate-'));
  mkdirSync(join(root, 'migrations'));
  writeFileSync(join(root, 'migrations', '0002_second.sql'), 'select 2;');
  writeFileSync(join(root, 'migrations', '0001_first.sql'), 'select 1;');
  folder = pathToFileURL(`${join(root, 'migrations')}/`);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const belongsTo = (name: string) => writeFileSync(join(root, 'package.json'), JSON.stringify({ name }));

it('a package reads its own migrations, in their order', () => {
  belongsTo('@partner-hiring/sqlite');
  expect(readMigrations('@partner-hiring/sqlite', folder)).toEqual([
    { version: 1, name: 'first', sql: 'select 1;' },
    { version: 2, name: 'second', sql: 'select 2;' },
  ]);
});

it('the migrations of the host, beside which a bundler has put the code, are not run for the package’s', () => {
  const refusal = expect.objectContaining({
    code: 'MISCONFIGURED',
    message: expect.stringContaining('--external:@partner-hiring/sqlite'),
  });
  expect(() => readMigrations('@partner-hiring/sqlite', folder)).toThrow(refusal);
  belongsTo('hiring-platform');
  expect(() => readMigrations('@partner-hiring/sqlite', folder)).toThrow(refusal);
});
