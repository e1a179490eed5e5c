/** Plays the pages of the command line. */
import { join } from 'node:path';
import { createPartnerHiring } from '@partner-hiring/core';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { loadCommands } from '../../packages/cli/src/commands/all-commands.js';
import { CONNECTION_OPTIONS } from '../../packages/cli/src/connection/connection-options.js';
import { partnerHiringOf } from './exported.js';
import { ROOT, readPage, withRows } from './fences.js';
import { apply, letIn } from './host.js';
import { tell } from './tell.js';

const PAGE = 'docs/command-line.md';
const KEY = { PARTNER_HIRING_SEALING_KEY: '0123456789abcdef'.repeat(4) };

/** Sets the words of the command line for a program in this process. */
function callWith(...words: readonly string[]): void {
  const { argv, exitCode } = process;
  process.argv = [...argv.slice(0, 2), ...words];
  onTestFinished(() => {
    process.argv = argv;
    process.exitCode = exitCode;
  });
}

tell('docs/command-line.md', async (open) => {
  const page = open({ env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  const { key, secret } = await letIn(partnerHiring);
  await apply('http://localhost/api/v1/external', secret, { send: partnerHiring.fetch });
  const printed = await page.run();
  for (const text of [key.id, '"items": []', '--sealing-key-file']) {
    expect(printed).toContain(text);
  }

  const [closed = '', ...acts] = (await page.run()).split('\n');
  expect(closed).toBe('job_01k2f7 (Line Cook) is now closed.');
  expect(acts.join()).toMatch(/ada +command_line +jobs\.close +job_01k2f7 .* ticket-815/);
  expect(await page.run()).toMatch(
    / A… R… .* Ada Reyes .* ada +command_line +candidates\.reveal +ej_app_\w+ .* ticket-815/s,
  );
  expect(await page.run()).toMatch(/^No requests\.[\s\S]* ada +command_line +jobs\.close +job_01k2f7 /);
  expect(await page.run()).toMatch(/^Release .*\n\nNothing needs a person\.\n$/s);
  expect(await page.run()).toMatch(
    /^Nothing was changed\. A sync would give: 1 added, .*\n1 added, .*\nop_\w+ is done: 1 added, /,
  );
  expect(await page.run()).toBe('');

  callWith('jobs', 'list');
  await page.play();
  expect(page.printed()).toContain('job_01k2f7');
});

tell('docs/leaving.md', async (open) => {
  const page = open({ env: { ...KEY, DATABASE_URL: 'partner-hiring.sqlite' } });
  const storage = await createSqliteStorage({ file: join(page.folder, 'partner-hiring.sqlite') });
  const partnerHiring = createPartnerHiring({ storage, secretKey: KEY.PARTNER_HIRING_SEALING_KEY });
  const { secret } = await letIn(partnerHiring);
  await apply('http://localhost/api/v1/external', secret, { send: partnerHiring.fetch });
  await partnerHiring.close();
  expect(await page.run()).toMatch(
    /^\d+ rows in .*everything\.jsonl\. It has personal data of candidates: keep it safe\.\n$/,
  );
  page.next('js');
  expect(await page.run()).toBe('1 applications are in archive.sqlite.\n');
});

tell('packages/cli/README.md', async (open) => {
  const page = open({ env: KEY });
  await (await createSqliteStorage({ file: join(page.folder, 'partner-hiring.sqlite') })).close();
  expect(await page.run()).toContain('No keys. Issue one');
});

const COMMANDS = await loadCommands();

test('the page lists every group with its commands, the default first', async () => {
  // After a change: npx vitest run test/docs/command-line.test.ts --update
  const rows = Object.entries(COMMANDS.groups).map(([group, { commands }]) => [
    `\`${group}\``,
    Object.keys(commands)
      .map((name) => `\`${name}\``)
      .join(', '),
  ]);
  await expect(withRows(readPage(PAGE), 'Group', rows)).toMatchFileSnapshot(`${ROOT}${PAGE}`);
  for (const { commands, standard } of Object.values(COMMANDS.groups)) {
    expect(Object.keys(commands)[0]).toBe(standard);
  }
});

test('the page names every command that needs the sealing key', () => {
  const named = readPage(PAGE).match(/^Only commands .*?sealing key: ([\s\S]*?)\./m)?.[1] ?? '';
  const shown = [...named.matchAll(/`([a-z]+ [a-z-]+)/g)].map(([, path]) => path);
  const needing = Object.entries(COMMANDS.groups).flatMap(([group, { commands }]) =>
    Object.entries(commands).flatMap(([verb, command]) =>
      'usesSealingKey' in command && command.usesSealingKey === true ? [`${group} ${verb}`] : [],
    ),
  );
  expect(shown.toSorted()).toEqual(needing.toSorted());
});

test('the page names every single command and every option of the program', () => {
  const text = readPage(PAGE);
  for (const name of Object.keys(COMMANDS.singles)) expect(text).toContain(`\`${name}`);
  for (const name of Object.keys(CONNECTION_OPTIONS)) expect(text).toContain(`\`--${name}`);
});
