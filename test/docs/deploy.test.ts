/** Plays the page about deploys. `npm run test:image` runs the container file. */
import { expect } from 'vitest';
import { tell } from './tell.js';

tell('docs/deploy.md', async (open) => {
  const page = open({ env: { PARTNER_HIRING_SEALING_KEY: '0123456789abcdef'.repeat(4) } });
  const printed = await page.run();
  expect(printed).toMatch(/partner-hiring\.sqlite: applied 1 migration\.$/m);
  expect(printed).toMatch(/ 0 failed, /);
});
