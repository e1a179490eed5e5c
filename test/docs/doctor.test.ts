/** Plays the page about `doctor` and `migrate`, and compares its table with the code. */
import { expect, test } from 'vitest';
import { DATABASE_CHECKS } from '../../packages/cli/src/doctor/check-list.js';
import { readPage } from './fences.js';
import { tell } from './tell.js';

const PAGE = 'docs/doctor.md';

tell('docs/doctor.md', async (open) => {
  const page = open({ env: { PARTNER_HIRING_SEALING_KEY: '0123456789abcdef'.repeat(4) } });
  const printed = await page.run();
  expect(printed).toMatch(/partner-hiring\.sqlite: applied 1 migration\.$/m);
  expect(printed).toMatch(/^\d+ checks: \d+ ok, 0 warnings, 0 failed, 0 skipped\.$/m);

  const { exitCode } = await page.play();
  expect(exitCode).toBe(0);
  expect(page.printed()).toContain('no migration is missing');
  expect(page.printed()).toMatch(/ 0 failed/);
});

test('the page lists every check with the databases that it is for', () => {
  const [, ...lists] = readPage(PAGE).split(/^On (both databases|PostgreSQL|SQLite):$/m);
  const namesOn = (place: string) =>
    [...(lists[lists.indexOf(place) + 1] ?? '').matchAll(/^- `([a-z-]+)`: /gm)].map(([, name]) => name);
  const checksOn = (on: string) => DATABASE_CHECKS.filter((each) => each.on === on).map(({ name }) => name);
  expect(namesOn('both databases')).toEqual(['node', 'packages', 'database', ...checksOn('both')]);
  expect(namesOn('PostgreSQL')).toEqual(checksOn('postgres'));
  expect(namesOn('SQLite')).toEqual(checksOn('sqlite'));
});
