/** What is stored, and for how long: the architecture names each table, and the page about retention the times of the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AUDIT_MS } from '../../packages/core/src/domain/audit.js';
import { HOUR_COUNTS_KEPT_MS } from '../../packages/core/src/domain/hour-count.js';
import { DAY_MS } from '../../packages/core/src/domain/time.js';
import { WORKERS_KEPT_MS } from '../../packages/core/src/domain/worker-instance.js';
import { REQUESTS_KEPT_MS } from '../../packages/core/src/features/request-log/rules.js';
import { TOTALS_KEPT_MS } from '../../packages/core/src/features/totals/rules.js';
import { WORKER_DEFAULTS } from '../../packages/core/src/worker/options.js';
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

/** The lines of the section, one for each table: its name and the database that alone has it. */
function described(): readonly { readonly table: string; readonly only: string | undefined }[] {
  const section = /^## What is stored$(.*?)^## /ms.exec(readPage('docs/architecture.md'))?.[1] ?? '';
  return section.split('\n').flatMap((line) => {
    const [, tables = '', holds = ''] = /^- (`ph_.*?`): (.*)$/.exec(line) ?? [];
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

const WORDS = new Map([
  [1, 'a day'],
  [7, 'seven days'],
]);

test.each([
  ['finished events and deliveries', WORKER_DEFAULTS.deliveredEventsMs],
  ['[audit entries]', AUDIT_MS],
  ['the [request log]', REQUESTS_KEPT_MS],
  ['hourly [counts]', HOUR_COUNTS_KEPT_MS],
  ['killed workers', WORKERS_KEPT_MS],
  ['[totals]', TOTALS_KEPT_MS],
])('the page about retention says how long %s are kept', (data, keptMs) => {
  const row = readPage('docs/retention-and-backup.md')
    .match(/^\| .*$/gm)
    ?.find((each) => each.startsWith(`| ${data}`));
  const days = keptMs / DAY_MS;
  expect(row).toContain(WORDS.get(days) ?? `${days} days`);
});
