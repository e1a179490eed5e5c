/** Support tasks about everything that is stored of a person. */
import { expect } from 'vitest';
import { openPlatform } from '../../platform.js';
import { openSystemPlatform } from '../../seed.js';
import { aboutOne, type Task } from './task.js';

export const people: readonly Task[] = [
  ...aboutOne(openPlatform, {
    'finds all applications of a person': async (desk) => {
      const { page } = desk;
      await desk.openFound('ada lovelace', 'All applications');
      await page.getByRole('heading', { level: 1, name: 'Everything about A… L…' }).waitFor();
      await page.getByRole('row', { name: /Acme ATS.*ats-4711/ }).waitFor();
      await page.getByRole('row', { name: /Globex/ }).waitFor();
    },

    'erases everything about a person after a count': async (desk) => {
      const { platform, page } = desk;
      const { fixture, ada, linus, grace } = platform;
      await desk.openFound('ada@example.org', 'All applications');
      await desk.press('Erase all…');
      await page.getByText('This cannot be undone.').waitFor();
      await page.getByText('Acme ATS, Globex').waitFor();
      await page.getByLabel('Reason (optional)').fill('request 12');
      await desk.press('Erase all');
      await page.getByText('2 applications were erased.').waitFor();
      const { operator } = fixture;
      const found = await Promise.all([ada, linus, grace].map((id) => operator.applications.find({ id })));
      expect(found.map((each) => each?.erasedAt !== null)).toEqual([true, true, false]);
    },

    'gives a person everything that is stored': async (desk) => {
      await desk.openFound('+14155550123', 'All applications');
      const exported = JSON.parse(await desk.download('Export')) as { applications: readonly unknown[] };
      const candidate = { firstName: 'Ada', email: 'ada@example.org' };
      expect(exported.applications).toMatchObject([
        { application: { candidate } },
        { application: { candidate } },
      ]);
    },
  }),

  ...aboutOne(openSystemPlatform, {
    'proves to a person what was erased, and when the platform acknowledged it': async (desk) => {
      const { platform, page } = desk;
      const { fixture, alan } = platform;
      const { candidates, inbox } = fixture.operator;
      await candidates.erase({ applicationId: alan });
      const taken = await inbox.take({ limit: 9, leaseMs: 60_000 });
      await inbox.acknowledge(taken.map(({ id }) => id));
      await desk.open();
      await desk.search(alan);
      await desk.follow('Erased applications of this person, and the receipt');
      await page.getByRole('cell', { name: /^acknowledged/ }).waitFor();
      const { receipts } = JSON.parse(await desk.download('Download the receipt')) as { receipts: unknown };
      expect(receipts).toMatchObject([
        { counts: { applications: 1 }, applications: [{ id: alan, changed: false }] },
      ]);
    },
  }),
];
