/** Rows that an older release or a person has written, with characters that steer a terminal, forge a line or reorder text. */
import { createPartnerHiring } from '@partner-hiring/core';
import { expect, onTestFinished, test } from 'vitest';
import { runCommandLine } from '../../packages/cli/src/index.js';
import { createEmptyStage, type DoctorStage, fillStage, SEALING_KEY } from './doctor-stage.js';
import { runCli } from './run-cli.js';

const POISON = '\u001b[2J\u001b]0;owned\u0007\u009b2J\r\nFORGED line\u202e\u2066\u007f';

/** Texts that hosts, operators, partners and receivers choose. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  ph_partner: ['name'],
  ph_company: ['name'],
  ph_job: ['title', 'city', 'region', 'country', 'schedule'],
  ph_application: ['first_name', 'last_name', 'email', 'phone', 'source', 'source_application_id'],
  ph_endpoint: ['url'],
  ph_event: ['body'],
  ph_audit: ['actor_id', 'actor_name', 'reason'],
  ph_request: ['client', 'route', 'code'],
};

/** All characters that a terminal acts on, except line breaks. */
const HARMFUL = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u;

async function poison(stage: DoctorStage): Promise<void> {
  const sets = Object.entries(TEXTS).map(([table, columns]) => {
    const poisoned = columns.map((column) => `${column} = coalesce(${column}, 'x') || '${POISON}'`);
    return `update ${table} set ${poisoned.join(', ')}`;
  });
  await stage.run(sets.join('; '));
}

async function openPoisoned() {
  const stage = createEmptyStage();
  const { keyId, applicationId } = await fillStage(stage);
  const [job] = await stage.rows('select id, company_id from ph_job');
  const [event] = await stage.rows('select id from ph_event');
  const [request] = await stage.rows('select request_id from ph_request');
  await poison(stage);
  const storage = await stage.open('never');
  const partnerHiring = createPartnerHiring<unknown, unknown>({ storage, secretKey: SEALING_KEY });
  onTestFinished(() => partnerHiring.close());
  const run = async (...words: readonly string[]) => {
    const printed: string[] = [];
    const print = (text: string) => void printed.push(text);
    const open = async () => ({ operator: partnerHiring.operator as never, close: async () => {} });
    await runCommandLine({ argv: words, open, output: { out: print, error: print } });
    return printed.join('\n');
  };
  const ids = { job: String(job?.id), company: String(job?.company_id), event: String(event?.id) };
  return { stage, run, ...ids, key: keyId, application: applicationId, request: String(request?.request_id) };
}

const SLOW = { timeout: 60_000 };

test('no row can steer the terminal of the command line, or forge a line', SLOW, async () => {
  const { stage, run, key, application, job, company, event, request } = await openPoisoned();
  const commands = [
    'partners list',
    'keys list',
    'companies list',
    `companies rename ${company} New`,
    `access list ${key}`,
    'jobs list',
    `jobs list --company ${company}`,
    `jobs close ${job}`,
    `timeline ${job}`,
    'applications list',
    `applications show ${application}`,
    `deliveries list --application ${application}`,
    `timeline ${application}`,
    `timeline ${key}`,
    `candidates export --application ${application}`,
    'endpoints list',
    `endpoints show ${key}`,
    `endpoints pause ${key}`,
    `endpoints resume ${key}`,
    'endpoints failing',
    'deliveries list',
    `deliveries show ${key} ${event}`,
    `deliveries attempts ${key}`,
    `deliveries resend --key ${key} --event ${event}`,
    'requests list',
    `requests find ${request}`,
    `requests reads ${key}`,
    'audit list',
    'inbox status',
    'operations list',
  ];
  let shown = 0;
  for (const command of commands) {
    for (const json of [[], ['--json']]) {
      const text = await run(...command.split(' '), ...json);
      expect([command, HARMFUL.exec(text)?.[0]]).toEqual([command, undefined]);
      expect([command, /^ *FORGED/m.test(text)]).toEqual([command, false]);
      expect(text).not.toContain('Unknown command');
      if (text.includes('FORGED')) shown += 1;
    }
  }
  expect(shown).toBeGreaterThan(20);
  const { database } = stage;
  const words = database.kind === 'sqlite' ? [] : ['--schema', database.schema ?? ''];
  const named = database.kind === 'sqlite' ? database.file : database.connectionString;
  const doctor = await runCli(['doctor', '--database', named, ...words], {
    env: { PARTNER_HIRING_SEALING_KEY: SEALING_KEY },
  });
  expect(doctor.stdout + doctor.stderr).not.toMatch(HARMFUL);
});

test('nor can a typed word, a setting or an error', async () => {
  for (const words of [
    [POISON],
    ['jobs', POISON],
    ['jobs', `--${POISON}`],
    ['jobs', 'list', `--state=${POISON}`],
    ['keys', 'issue', 'ptn_x', POISON],
    ['jobs', '--database', `/none/${POISON}`],
    ['jobs', '--database', `/none/x.sqlite`, '--sealing-key-file', POISON],
  ]) {
    const { stderr } = await runCli(words);
    expect(stderr).not.toBe('');
    expect(stderr).not.toMatch(HARMFUL);
    expect(stderr).not.toMatch(/^ *FORGED/m);
  }
  const errors: string[] = [];
  await runCommandLine({
    argv: ['jobs', '--debug'],
    open: () => Promise.reject(new Error(`It failed: ${POISON}`)),
    describeError: () => `Described ${POISON}`,
    output: { out: () => {}, error: (text) => void errors.push(text) },
  });
  expect(errors).toHaveLength(2);
  expect(errors.join('')).not.toMatch(HARMFUL);
});
