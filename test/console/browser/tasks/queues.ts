/** Support tasks about what waits, over all partners. */
import { expect } from 'vitest';
import { openPlatform } from '../../platform.js';
import { aboutMany, type Task } from './task.js';

export const queues: readonly Task[] = aboutMany(openPlatform, {
  'finds the applications that nobody has changed, in an address that can be saved': async (desk) => {
    const { platform, page } = desk;
    const { alan, linus } = platform;
    await desk.openAt('Queues', 'Applications unchanged for 14 days');
    await page.getByRole('cell', { name: 'A… T…' }).waitFor();
    expect(page.url()).toContain('/queues/unchanged?days=14');
    const content = await page.content();
    expect(content.indexOf(alan)).toBeLessThan(content.indexOf(linus));
    desk.answered();
    await page.goto(`${desk.url}/queues/unchanged?days=1&status=received`);
    const received = await page.content();
    expect(received).toContain(alan);
    expect(received).not.toContain(linus);
  },

  'downloads what a queue shows, masked, which the audit records': async (desk) => {
    const { alan, linus, fixture } = desk.platform;
    await desk.openAt('Queues', 'Applications unchanged for 14 days');
    const [header, ...rows] = (await desk.download('Download CSV')).trim().split('\r\n');
    expect(header).toContain('"Candidate","Application","Status","Job"');
    expect(rows.map((row) => row.split(',').slice(0, 3).join())).toEqual([
      `"A… T…","${alan}","received"`,
      `"A… L…","${linus}","in progress"`,
    ]);
    const { items } = await fixture.operator.audit.list({ act: 'audit.recordExport' });
    expect(items).toMatchObject([{ actor: { name: 'Robin Admin' } }]);
  },

  'finds the endpoints that are paused, and opens one': async (desk) => {
    const { platform, page } = desk;
    await desk.openAt('Queues', 'Paused endpoints');
    await page.getByRole('cell', { name: 'it answered 410 Gone' }).waitFor();
    await desk.follow('Hooli (production)');
    await page.getByRole('heading', { level: 1, name: 'Endpoint of Hooli (production)' }).waitFor();
    expect(page.url()).toContain(`/endpoints/${platform.hooli.keyId}`);
  },

  'finds out what a colleague did': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme } = platform;
    const kim = fixture.operator.as({ id: 'user_9', name: 'Kim', reason: 'ticket 4711' });
    await kim.endpoints.pause({ keyId: acme.keyId });
    await desk.openAt('Audit');
    await desk.choose('Actor', { label: 'Kim' });
    await desk.press('Filter');
    const row = page.getByRole('row', { name: /Kim/ });
    await row.getByText('Paused sending').waitFor();
    await row.getByText('ticket 4711').waitFor();
  },
});
