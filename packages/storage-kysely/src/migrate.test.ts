import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { beforeEach, expect, it } from 'vitest';
import { type AppliedMigration, missingMigrations, readMigrations } from './migrate.js';

let root: string;
let folder: URL;
beforeEach(() => {
  root = temporaryFolder();
  mkdirSync(join(root, 'migrations'));
  writeFileSync(join(root, 'migrations', '0002_second.sql'), 'select 2;');
  writeFileSync(join(root, 'migrations', '0001_first.sql'), 'select 1;');
  folder = pathToFileURL(`${join(root, 'migrations')}/`);
});

const belongsTo = (name: string) => writeFileSync(join(root, 'package.json'), JSON.stringify({ name }));

it('reads the migrations of a package in order', () => {
  belongsTo('@partner-hiring/sqlite');
  expect(readMigrations('@partner-hiring/sqlite', folder)).toEqual([
    { version: 1, name: 'first', sql: 'select 1;', oldestCompatible: null, isConcurrent: false },
    { version: 2, name: 'second', sql: 'select 2;', oldestCompatible: null, isConcurrent: false },
  ]);
});

it('rejects a migrations folder of another package, as after bundling', () => {
  const refusal = expect.objectContaining({
    code: 'MISCONFIGURED',
    message: expect.stringContaining('--external:@partner-hiring/sqlite'),
  });
  expect(() => readMigrations('@partner-hiring/sqlite', folder)).toThrow(refusal);
  belongsTo('hiring-platform');
  expect(() => readMigrations('@partner-hiring/sqlite', folder)).toThrow(refusal);
});

it('names the setting of Next if a tool copied the code without the files', () => {
  belongsTo('@partner-hiring/sqlite');
  const refusal = expect.objectContaining({
    code: 'MISCONFIGURED',
    message: expect.stringMatching(
      /outputFileTracingIncludes.*node_modules\/@partner-hiring\/sqlite\/migrations/,
    ),
  });
  for (const file of ['0001_first.sql', '0002_second.sql']) rmSync(join(root, 'migrations', file));
  expect(() => readMigrations('@partner-hiring/sqlite', folder)).toThrow(refusal);
  rmSync(join(root, 'migrations'), { recursive: true });
  expect(() => readMigrations('@partner-hiring/sqlite', folder)).toThrow(refusal);
});

it('reads compatibility and concurrency from the leading comment', () => {
  belongsTo('@partner-hiring/sqlite');
  const write = (text: string) => writeFileSync(join(root, 'migrations', '0003_third.sql'), text);
  const read = () => readMigrations('@partner-hiring/sqlite', folder).at(-1);
  write('-- Adds it.\n-- oldest-compatible: 2\n-- online: concurrently\nselect 3;\n');
  expect(read()).toMatchObject({ oldestCompatible: 2, isConcurrent: true });
  write('select 3;\n-- oldest-compatible: 2\n');
  expect(read()).toMatchObject({ oldestCompatible: null, isConcurrent: false });
  for (const wrong of [
    'oldest-compatible: 3',
    'oldest-compatible: two',
    'oldest-compatible:',
    'online: yes',
  ]) {
    write(`-- ${wrong}\nselect 3;\n`);
    expect(read, wrong).toThrow('0003_third.sql');
  }
});

it('reads the parts of a folder as one migration, whose name changes with its statements', () => {
  belongsTo('@partner-hiring/sqlite');
  const parts = join(root, 'migrations', '0003_third');
  mkdirSync(parts);
  const write = (name: string, text: string) => writeFileSync(join(parts, name), text);
  const read = () => readMigrations('@partner-hiring/sqlite', folder).at(-1);
  write('2_later.sql', 'select 3.2;\n');
  write('1_first.sql', '-- oldest-compatible: 2\nselect 3.1;\n');
  write('README.md', 'Not SQL.');
  const made = read();
  expect(made).toMatchObject({
    version: 3,
    name: expect.stringMatching(/^third_[0-9a-f]{8}$/),
    sql: '-- oldest-compatible: 2\nselect 3.1;\n\nselect 3.2;\n',
    oldestCompatible: 2,
  });
  write('2_later.sql', '-- A comment.\n  select 3.2;\n');
  expect(read()?.name).toBe(made?.name);
  write('2_later.sql', 'select 3.3;\n');
  expect(read()?.name).not.toBe(made?.name);
});

const recorded = (version: number, oldestCompatible: number | null) => ({
  version,
  name: `step_${version}`,
  oldestCompatible,
});
const known = [1, 2].map((version) => ({ ...recorded(version, null), sql: '', isConcurrent: false }));
const missing = (applied: readonly AppliedMigration[], place = { file: 'a.sqlite' }) =>
  missingMigrations(applied, known, place);
const past = known.map(({ version }) => recorded(version, null));

it('accepts a newer schema only if every unknown migration is compatible', () => {
  expect(missing([...past, recorded(3, 1), recorded(4, 2)])).toEqual([]);
  const refusal = (...words: string[]) =>
    expect.objectContaining({ code: 'MISCONFIGURED', message: expect.stringMatching(words.join('.*')) });
  expect(() => missing([...past, recorded(3, 2), recorded(4, 3)])).toThrow(
    refusal('migration 4 \\(step_4\\)', 'knows migration 3', 'up to 2', 'Upgrade'),
  );
  expect(() => missing([...past, recorded(3, null), recorded(4, 2)])).toThrow(
    refusal('migration 3 \\(step_3\\)', 'names no older release', 'up to 2', 'Upgrade', 'migration 3'),
  );
});

it('does not apply a migration after one of a newer release', () => {
  expect(() => missing([recorded(1, null), recorded(3, 1)])).toThrow(
    /has migration 3 .* lacks migration 2 .*newer release/,
  );
});

it('refuses tables whose migrations have other names, before anything else', () => {
  const renamed = [{ ...recorded(1, null), name: 'initial' }, recorded(3, null)];
  expect(() => missing(renamed)).toThrow(
    'This file was made before 0.1.0. Delete it and start again: a.sqlite',
  );
  expect(() => missingMigrations(renamed, known, { schema: '"hiring"' })).toThrow(
    'This schema was made before 0.1.0. Drop it and start again: "hiring"',
  );
});
