/** Questions about many, in a real browser, with and without scripting: at most six clicks from the overview. */
import { expect } from 'vitest';
import { openPlatform } from '../../platform.js';
import { clickAll, declareTasks, type Task } from './task.js';

export const queues: readonly Task[] = declareTasks(openPlatform, {
  'finds the applications that nobody has changed, in an address that can be saved': async (desk) => {
    const { platform, stage, page } = desk;
    const { alan, linus } = platform;
    await clickAll(desk, 'Queues', 'Applications unchanged for 14 days');
    expect(page.url()).toContain('/queues/unchanged?days=14');
    const content = await page.content();
    expect(content.indexOf(alan)).toBeLessThan(content.indexOf(linus));
    await page.goto(`${stage.url}/queues/unchanged?days=1&status=received`);
    const received = await page.content();
    expect(received).toContain(alan);
    expect(received).not.toContain(linus);
  },

  'finds the endpoints that are paused, and opens one': async (desk) => {
    const { platform, page } = desk;
    await clickAll(desk, 'Queues', 'Paused endpoints', 'Hooli (production)');
    expect(page.url()).toContain(`/endpoints/${platform.hooli.keyId}`);
  },

  'finds the résumés that failed': async (desk) => {
    const { platform, page } = desk;
    await clickAll(desk, 'Queues', 'Résumés that failed');
    expect(await page.content()).toContain(platform.alan);
  },

  'compares a partner with all others': async (desk) => {
    const { page } = desk;
    await clickAll(desk, 'Partners and keys', 'Acme ATS');
    await page.getByRole('heading', { name: 'Health', exact: true }).waitFor();
    expect(await page.content()).toContain('Requests and deliveries in production');
  },
});
