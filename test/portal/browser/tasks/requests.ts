/** Questions about a partner's own requests. */
import { randomUUID } from 'node:crypto';
import { startProgram } from '../../acts-of-partner.js';
import { tasksOf } from './task.js';

export const requests = tasksOf('acme', {
  'finds out why its last submission failed, and what to do': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme } = platform;
    const program = await startProgram(platform);
    await fixture.operator.jobs.close({ id: acme.jobId as `job_${string}` });
    await program.submit();
    await fixture.pass(60_000);
    await desk.open();
    await page.getByText('1 request was refused in the last 24 hours, most often with JOB_CLOSED').waitFor();
    await desk.follow('See why, and what to do');
    await page
      .getByRole('row', { name: /JOB_CLOSED/ })
      .getByRole('link')
      .first()
      .click();
    await page.getByText('A job takes applications only while it is open.').waitFor();
    await page.getByText('Do not send this candidate again.').waitFor();
  },

  'finds out which field of its submission was wrong': async (desk) => {
    const { platform, page } = desk;
    const program = await startProgram(platform);
    await program.submit({ consentToContact: false });
    await platform.fixture.pass(60_000);
    await desk.openAt('Requests');
    await page
      .getByRole('row', { name: /VALIDATION_ERROR/ })
      .getByRole('link')
      .first()
      .click();
    await page.getByText('The consent to contact is not true.').waitFor();
  },

  'finds a request by the id that its answer had': async (desk) => {
    const { platform, page } = desk;
    const program = await startProgram(platform);
    const reply = await program.submit({ sourceApplicationId: 'ats-4711' });
    await platform.fixture.pass(60_000);
    await desk.openAt('Requests');
    await page.getByLabel('Find a request by its id').fill(reply.headers.get('x-request-id') ?? '');
    await desk.press('Find');
    await page.getByText('The request was refused: DUPLICATE_SOURCE_APPLICATION_ID').waitFor();
    await desk.follow('Your application');
    await page.getByRole('heading', { level: 1, name: 'Application ats-4711' }).waitFor();
  },

  'learns that it has no request with an id': async (desk) => {
    const { page } = desk;
    await desk.openAt('Requests');
    await page.getByLabel('Find a request by its id').fill(randomUUID());
    await desk.press('Find');
    await page.getByRole('alert').getByText('You have no request with this id').waitFor();
  },

  'finds out that a repeated submission changed nothing': async (desk) => {
    const { platform, page } = desk;
    const program = await startProgram(platform);
    const key = randomUUID();
    await program.submit({ sourceApplicationId: 'ats-9' }, key);
    await platform.fixture.pass(1_000);
    await program.submit({ sourceApplicationId: 'ats-9' }, key);
    await platform.fixture.pass(60_000);
    await desk.openAt('Requests');
    await page.getByRole('row').nth(1).getByRole('link').first().click();
    await page.getByText('It repeated an earlier request').waitFor();
  },

  'finds out that it submitted too fast, and how long to wait': async (desk) => {
    const { platform, page } = desk;
    const program = await startProgram(platform);
    for (let index = 0; index < 11; index += 1) await program.submit();
    await platform.fixture.pass(60_000);
    await desk.openAt('Requests');
    await page
      .getByRole('row', { name: /RATE_LIMITED/ })
      .getByRole('link')
      .first()
      .click();
    await page.getByText('Wait for the seconds in').waitFor();
  },
});
