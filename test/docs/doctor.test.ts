/** Plays the page about `doctor` and `migrate`, and compares its table with the code. */
import { join } from 'node:path';
import { migrateSqlite } from '@partner-hiring/sqlite';
import { expect, test } from 'vitest';
import { DATABASE_CHECKS, FIRST_CHECKS } from '../../packages/cli/src/doctor/check-list.js';
import { exported } from './exported.js';
import { readPage } from './fences.js';
import { tell } from './tell.js';

const PAGE = 'docs/doctor.md';

tell('docs/doctor.md', async (open) => {
  const page = open({ env: { PARTNER_HIRING_KEY: '0123456789abcdef'.repeat(4) } });
  const file = join(page.folder, 'partner-hiring.sqlite');
  const missing = await page.play();
  expect(exported<number>(missing, 'exitCode')).toBe(1);
  expect(page.printed()).toContain('does not exist');
  await migrateSqlite({ file });
  expect(exported<number>(await page.again(), 'exitCode')).toBe(0);
  expect(page.printed()).toMatch(/ 0 failed/);

  const migrations = await page.play();
  expect(page.printed()).toContain('no migration is missing');
  expect(exported<string>(migrations, 'sql')).toContain('No migration is missing');
});

test('the page lists every check with the databases that it is for', () => {
  const rows = [...readPage(PAGE).matchAll(/^\| `([a-z-]+)` \| (\w+) \|/gm)].map(([, name, on]) => [
    name,
    on,
  ]);
  const words = { both: 'both', postgres: 'PostgreSQL', sqlite: 'SQLite' };
  const checks = DATABASE_CHECKS.map(({ name, on }) => [name, words[on]]);
  expect(rows).toEqual([...FIRST_CHECKS.map((name) => [name, 'both']), ...checks]);
});
