/** Plays the page about deploys. `npm run test:image` runs the container file. */
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect } from 'vitest';
import { tell } from './tell.js';

tell('docs/deploy.md', async (open) => {
  const page = open({ env: { PARTNER_HIRING_SEALING_KEY: '0123456789abcdef'.repeat(4) } });
  const printed = await page.run();
  expect(printed).toMatch(/partner-hiring\.sqlite: applied 1 migration\.$/m);
  expect(printed).toMatch(/ 0 failed, /);

  const database = new Sqlite(join(page.folder, 'partner-hiring.sqlite'));
  const applied = database.prepare(page.next('sql').text.replace('partner_hiring.', '')).all();
  database.close();
  expect(applied[0]).toEqual({
    version: 1,
    name: expect.stringMatching(/^tables_[0-9a-f]{8}$/),
    oldest_compatible: null,
  });
});
