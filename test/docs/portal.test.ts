/** Plays the page about the portal of partners. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PartnerPortal } from '@partner-hiring/console/portal';
import { PORTAL_PRESET, PORTAL_RIGHTS } from '@partner-hiring/core';
import { expect, test } from 'vitest';
import { exported, partnerHiringOf } from './exported.js';
import { ROOT } from './fences.js';
import { tell } from './tell.js';

const KEY = { PARTNER_HIRING_SEALING_KEY: '0123456789abcdef'.repeat(4) };

tell('docs/portal.md', async (open) => {
  const page = open({ env: KEY });
  await partnerHiringOf(page);
  await page.run();
  const portal = exported<PartnerPortal>(await page.play(), 'portal');
  await page.play();
  const link = /https:\S+$/.exec(page.printed())?.[0] ?? '';
  const { origin } = new URL(link);
  const pressed = await portal.fetch(new Request(link, { method: 'POST', headers: { origin } }));
  const cookie = pressed.headers.get('set-cookie')?.split(';')[0] ?? '';
  const home = await portal.fetch(new Request(`${origin}/portal`, { headers: { cookie } }));
  expect(await home.text()).toContain('Elevate Jobs');
});

test('docs/portal.md has each right, with whether the preset has it', () => {
  const text = readFileSync(join(ROOT, 'docs/portal.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (`.*`) \| .* \| (yes|no) \|$/gm)].flatMap(([, names = '', inPreset]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, inPreset === 'yes'] as const),
  );
  const expected = PORTAL_RIGHTS.map((right) => [right, PORTAL_PRESET.includes(right)]);
  expect(rows.map(([name, is]) => `${name} ${is}`).toSorted()).toEqual(
    expected.map(([name, is]) => `${name} ${is}`).toSorted(),
  );
});
