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
  const rows = [...readPage(PAGE).matchAll(/^\| `([a-z-]+)` \| (\w+) \|/gm)].map(([, name, on]) => [
    name,
    on,
  ]);
  const words = { both: 'both', postgres: 'PostgreSQL', sqlite: 'SQLite' };
  const checks = DATABASE_CHECKS.map(({ name, on }) => [name, words[on]]);
  expect(rows).toEqual([...['node', 'packages', 'database'].map((name) => [name, 'both']), ...checks]);
});
