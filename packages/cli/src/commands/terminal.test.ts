import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { AnyOperator } from '../command/command.js';
import { createCommandInput } from '../command/command-input.js';
import { applicationGroup } from '../groups/applications/application-commands.js';
import { deliveryGroup } from '../groups/deliveries/delivery-commands.js';
import { jsonText } from '../report/report.js';
import { terminalLines } from '../report/terminal-text.js';

const APPLICATION = {
  id: 'ej_app_1',
  jobId: 'job_1',
  keyId: 'key_1',
  companyId: 'co_1',
  status: 'received',
  stage: 'initial_outreach',
  candidate: {
    firstName: '\u001b[2J\u009b2JAda',
    lastName: 'Love\nlace\u202e',
    email: 'ada@example.org',
    phone: '+14155550123',
  },
  answers: { '\u001bkey': '\u009b' },
  sourceApplicationId: '\r\u001b]0;title\u0007',
  source: null,
  resumeUrl: null,
  resume: { kind: 'none' },
  erasedAt: null,
  submittedAt: 0,
  lastStatusChangeAt: 0,
  changedAt: 0,
};

test.each(['list', 'show'])(
  'what a partner wrote keeps to its line of the terminal: applications %s',
  async (verb) => {
    const operator = {
      applications: {
        list: async () => ({ items: [APPLICATION], nextCursor: null }),
        find: async () => APPLICATION,
      },
      keys: { find: async () => ({ label: 'Acme\u001b[2J (sandbox)' }) },
      jobs: { find: async () => ({ title: 'Cook\u009b', companyId: 'co_1' }) },
      companies: { find: async () => ({ name: 'Bistro\u202e' }) },
    } as unknown as AnyOperator;
    const input = createCommandInput({ application: 'ej_app_1' }, {});
    const report = await applicationGroup.commands[verb]?.run(operator, input);
    expect(report?.text).toContain('Love lace');
    expect(report?.text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  },
);

test('so does a delivery, with the same JSON: deliveries show', async () => {
  const body = JSON.stringify({ sourceApplicationId: '\u009b2J\u202e\u007f' });
  const details = { delivery: { dueAt: null }, event: { body }, attempts: [], successes: [] };
  const operator = {
    keys: { find: async () => ({ key: { id: 'key_1' }, secrets: [] }) },
    deliveries: { find: async () => details },
  } as unknown as AnyOperator;
  const report = await deliveryGroup.commands.show?.run(
    operator,
    createCommandInput({ key: 'key_1', event: 'evt_1' }, {}),
  );
  const [shown = ''] = report?.text.split('\n') ?? [];
  expect(shown).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  expect(JSON.parse(shown)).toEqual(JSON.parse(body));
});

test('JSON tells instants as the API does, what a candidate answered as it is, and steers no terminal', () => {
  const value = [{ ...APPLICATION, answers: { availableAt: 8, paidUntil: 1e20, 'mark\u009b': true } }];
  const text = jsonText(value);
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  const instant = '1970-01-01T00:00:00.000Z';
  expect(JSON.parse(text)).toEqual([
    { ...value[0], submittedAt: instant, lastStatusChangeAt: instant, changedAt: instant },
  ]);
});

test('the program prints only through its output, which removes what steers a terminal', () => {
  const folder = fileURLToPath(new URL('../', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(50);
  const prints = /^(?! \*).*(?:\bconsole\.\w+\(|std(?:out|err)\.write\()/m;
  expect(files.filter((file) => prints.test(readFileSync(`${folder}${file}`, 'utf8')))).toEqual([
    'standard-output.ts',
  ]);
});

test('lines keep their line breaks, tabs and dimmed titles, and nothing else that a terminal acts on', () => {
  const dim = '\u001b[2mTITLE\u001b[0m';
  expect(terminalLines(`${dim}\n\ta\u001b[2Jb\r\n\u009b2Jc\u202ed\u001b[2mx`)).toBe(
    `${dim}\n\ta [2Jb \n 2Jc d [2mx`,
  );
});
