/** What the README of each package for partners says, done as a partner does it. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { RIGHT, SECRET, startReceiver } from '../certify/receiver.js';
import { ROOT, readPage } from './fences.js';
import { startHost } from './host.js';
import { expectShown } from './shown.js';
import { tell } from './tell.js';

/** What the host's job asks. */
const ANSWERS = 'applicationFormAnswers: { weekends: true },';

tell('packages/client/README.md', async (open) => {
  const { baseUrl, issued } = await startHost();
  const page = open({
    filling: {
      job_harbor_picker: 'job_01k2f7',
      'consentToContact: true,': `consentToContact: true, ${ANSWERS}`,
    },
    env: { PARTNER_API_URL: baseUrl, PARTNER_API_KEY: issued.secret },
  });
  await page.run();

  await page.play();
  expect(page.printed()).toMatch(/ats-4711 is ej_app_\w+ \(created\)/);
  await page.again();
  expect(page.printed()).toMatch(/ats-4711 is ej_app_\w+ \(known\)/);

  await page.play();
  expect(page.printed()).toMatch(/^job_01k2f7 Line Cook Bistro Nord$/m);
  expect(page.printed()).toMatch(/^ej_app_\w+ Initial Outreach$/m);

  await page.play();
  expect(page.printed()).toMatch(/^whole: \d+ rows, 0 gone$/m);

  const file = join(page.folder, page.next('ts').fileName ?? '');
  writeFileSync(join(page.folder, 'tsconfig.json'), JSON.stringify({ extends: `${ROOT}tsconfig.json` }));
  const args = ['--import', 'tsx', '--test', '--test-reporter=tap', file];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: page.folder });
  expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(5);
  expect(stdout).toMatch(/^# fail 0$/m);
});

tell('packages/certify/README.md', async (open) => {
  const receivers = {
    right: await startReceiver(RIGHT),
    replayed: await startReceiver({ ...RIGHT, behind: 3_600 }),
    wrong: await startReceiver({ ...RIGHT, verifies: false }),
  };
  const { port } = new URL(receivers.right);
  const page = open({ filling: { 'localhost:3001': `localhost:${port}` }, env: { WEBHOOK_SECRET: SECRET } });
  const filling = { 'whsec_…': SECRET, 'https://ats.example.com/webhooks': receivers.replayed };
  const said = await page.run(filling).then(
    () => '',
    (error: unknown) => String(error),
  );
  expect(said).toContain('ended with 1');
  const shown = page.next('text');
  expectShown(
    { ...shown, text: shown.text.replace('https://ats.example.com/webhooks', receivers.replayed) },
    said,
  );

  await page.play();
  await expect(page.again({ [port]: new URL(receivers.wrong).port })).rejects.toThrow(
    'It takes deliveries that the service never signed.',
  );

  await page.play();
  expect(page.printed()).toContain('does_not_verify');
  expect(readPage('packages/certify/README.md')).toContain(`// ${page.printed()}\n`);
});
