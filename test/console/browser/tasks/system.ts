/** Support tasks about operations, workers and the inbox. */
import { expect } from 'vitest';
import { openSystemPlatform, seedOperation, seedParked, seedWorkers } from '../../seed.js';
import { aboutMany, aboutOne, type Task } from './task.js';

export const system: readonly Task[] = [
  ...aboutOne(openSystemPlatform, {
    'finds an operation by its id, and stops it': async (desk) => {
      const { platform, page } = desk;
      const id = (await seedOperation(platform)) as `op_${string}`;
      await desk.open();
      await desk.search(id);
      await page.getByText('0 of 300 (0 %)').waitFor();
      await desk.press('Stop…');
      await desk.press('Stop the operation');
      await page.getByText('The operation is stopped.').waitFor();
      expect((await platform.fixture.operator.operations.find({ id }))?.state).toBe('stopped');
    },

    'finds out which worker died': async (desk) => {
      const { platform, page } = desk;
      await seedWorkers(platform);
      await desk.openAt('System');
      await page.getByText('1 ended without stopping').waitFor();
      await page.getByRole('row', { name: /worker-dead, process 4711.*died/ }).waitFor();
      await page.getByRole('row', { name: /worker-alive, process 4712.*alive/ }).waitFor();
    },
  }),

  ...aboutMany(openSystemPlatform, {
    'finds out what is open, since when, and what should page somebody': async (desk) => {
      const { platform, page } = desk;
      await seedParked(platform);
      await desk.open();
      await desk.follow('Open alerts, and what was sent');
      await page.getByRole('row', { name: /warning.*2 items of the inbox are parked.*20\d\d/ }).waitFor();
      await desk.follow('2 items of the inbox are parked, because the platform refused them for a day.');
      await page.getByText('Error: the host is closed').first().waitFor();
    },

    'finds out why applications are parked, and hands them over again': async (desk) => {
      const { platform, page } = desk;
      await seedParked(platform);
      await desk.openAt('System');
      await page.getByText('Error: the host is closed').first().waitFor();
      await desk.press('Retry all parked items…');
      await desk.press('Retry 2 items');
      await page.getByText('2 items are handed over again.').waitFor();
      expect((await platform.fixture.operator.inbox.list({ state: 'parked' })).items).toEqual([]);
    },
  }),
];
