/** "What is stored" of the architecture names each table of the migrations, and the databases that have it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesInGit } from '../architecture/sources.js';
import { ROOT, readPage } from './fences.js';

/** The tables that a storage creates, also outside of its migrations. */
function createdBy(storage: string): ReadonlySet<string> {
  const files = filesInGit(`packages/${storage}/migrations/*.sql`, `packages/${storage}/src/*.ts`).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const text = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
  return new Set(
    [...text.matchAll(/create table (?:if not exists )?(ph_\w+)/g)].map(([, table = '']) => table),
  );
}

/** The rows of the section, one for each table: its name and the database that alone has it. */
function described(): readonly { readonly table: string; readonly only: string | undefined }[] {
  const section = /^## What is stored$(.*?)^## /ms.exec(readPage('docs/architecture.md'))?.[1] ?? '';
  return section.split('\n').flatMap((line) => {
    const [, tables = '', holds = ''] = /^\| (`ph_.*?) *\| (.*?) *\|$/.exec(line) ?? [];
    const only = /^(PostgreSQL|SQLite) only: /.exec(holds)?.[1];
    return [...tables.matchAll(/`(ph_\w+)`/g)].map(([, table = '']) => ({ table, only }));
  });
}

test('the architecture lists each stored table once, and says which database has it', () => {
  const [sqlite, postgres] = [createdBy('sqlite'), createdBy('postgres')];
  const expected = [...new Set([...sqlite, ...postgres])].map((table) => ({
    table,
    only: sqlite.has(table) && postgres.has(table) ? undefined : sqlite.has(table) ? 'SQLite' : 'PostgreSQL',
  }));
  const byTable = (a: { readonly table: string }, b: { readonly table: string }) =>
    a.table < b.table ? -1 : 1;
  expect(expected.length).toBeGreaterThan(30);
  expect([...described()].sort(byTable)).toEqual(expected.sort(byTable));
});
