/** Markers in every field of a candidate. After the erasure, none is found anywhere. */
import { existsSync, readFileSync } from 'node:fs';
import type { InboxItem } from '@partner-hiring/core';
import type { HostTransaction } from '@partner-hiring/test-support/storages';
import type { Database } from 'better-sqlite3';
import type { ClientBase } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import type { ApplicationId } from '../../../packages/core/src/domain/ids.js';
import { examplePages } from '../../console/browser/example-pages.js';
import { visit } from '../../console/platform.js';
import { linesOf, runLine } from './command-lines.js';
import { dump, isSqlite, openPersonalStage, type PersonalStage, submissionOf } from './stage.js';

const HOUR_MS = 3_600_000;
const PERSON = 'Zq0815xw';
/** A word of its own for each field, none of which may remain in any letter case. */
const MARKERS = [
  'first',
  'last',
  'local',
  'domain',
  'source',
  'partnerid',
  'answer',
  'choice',
  'folder',
  'file',
  'query',
  'echo',
  'resumename',
  'unknownfield',
].map((field) => `qz${field}0815`);
const DIGITS = ['4155550815', '415-555-0815', '(415) 555-0815'];
const marker = (field: string): string => MARKERS.find((each) => each.startsWith(`qz${field}`)) ?? '';

const CANDIDATE = {
  firstName: `Ada ${marker('first')}`,
  lastName: `O’${marker('last')}`,
  email: `${marker('local')}.Ada@${marker('domain')}.example`,
  phone: '+14155550815',
};

const SUBMITTED = {
  candidate: { ...CANDIDATE, nickname: marker('unknownfield') },
  source: `Careers ${marker('source')}`,
  sourceApplicationId: `ats-${marker('partnerid')}`,
  applicationFormAnswers: {
    // Longer than a page of SQLite.
    about: `I like ${marker('answer')},\nand more. `.repeat(200),
    choice: marker('choice'),
  },
  resumeUrl: `https://cv.example/${marker('folder')}/${marker('file')}.pdf?name=${marker('query')}`,
};

function markersIn(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return [...MARKERS, ...DIGITS].filter((each) => lower.includes(each));
}

/** The host's error quotes the candidate in other spellings. */
function refusalOf({ application }: InboxItem): Error {
  const { candidate, answers, sourceApplicationId } = application ?? {};
  const { email, phone, firstName, lastName } = candidate ?? CANDIDATE;
  return new Error(
    `no row for ${email.toUpperCase()} ${phone.replace(/^\+1(...)(...)/, '($1) $2-')} ${lastName.toLowerCase()}, ` +
      `${firstName.toUpperCase()}: ${JSON.stringify(answers).toUpperCase()} ${sourceApplicationId}`,
  );
}

const refused = { isOn: false };

/** A host that keeps whole candidates in its own table. */
function receive(items: readonly InboxItem[], tx: HostTransaction, table: string): void | Promise<void> {
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const statements = items.map((item) => {
    const id = quote(item.applicationId);
    return item.kind === 'candidate.erased'
      ? `delete from ${table} where id = ${id}`
      : `insert into ${table} values (${id}, ${quote(JSON.stringify(item.application))})`;
  });
  const failing = items.find(({ application }) => application?.candidate.email === CANDIDATE.email);
  const failure = refused.isOn && failing !== undefined ? refusalOf(failing) : null;
  if (!isSqlite) return receiveOnPostgres(tx as ClientBase, statements, failure);
  for (const each of statements) (tx as Database).exec(each);
  if (failure !== null) throw failure;
}

async function receiveOnPostgres(
  client: ClientBase,
  statements: readonly string[],
  failure: Error | null,
): Promise<void> {
  for (const each of statements) await client.query(each);
  if (failure !== null) throw failure;
}

async function openStage(): Promise<PersonalStage> {
  const table = { name: 'person' };
  const stage = await openPersonalStage(
    {
      inbox: {
        receive: (items: readonly InboxItem[], { tx }: { readonly tx: unknown }) =>
          receive(items, tx as HostTransaction, table.name),
      },
      resumeSource: {
        fetch: async (url) => ({
          kind: 'fetched',
          bytes: new Uint8Array([37, 80, 68, 70]),
          mediaType: 'application/pdf',
          fileName: url.includes(marker('file')) ? `${marker('resumename')}.pdf` : 'cv.pdf',
        }),
        close: async () => {},
      },
    },
    ['about', 'choice'],
  );
  onTestFinished(() => stage.close());
  const { location } = stage.database;
  if (location.kind === 'postgres') table.name = `${location.schema}.person`;
  await stage.host.run(`create table ${table.name} (id text, candidate text)`);
  onTestFinished(async () => {
    await stage.host.run(`drop table ${table.name}`);
  });
  return stage;
}

/** Submits the candidate and lets everybody handle them: partner, receiver, host, console and command line. */
async function handle(stage: PersonalStage): Promise<ApplicationId> {
  const { operator, partner, fixture, jobId } = stage;
  const echo = `${marker('echo')} ${JSON.stringify(SUBMITTED)}`;
  fixture.transport.answerWith(({ body }) => ({
    kind: 'answered',
    status: 500,
    excerpt: body.includes('"applicationId"') ? echo : '',
  }));
  refused.isOn = true;
  const id = await stage.submit(PERSON, SUBMITTED);
  const body = submissionOf(jobId, PERSON, SUBMITTED);
  await partner.submit({ ...body, candidate: { ...CANDIDATE, email: marker('local') } });
  await partner.submit(body);
  await partner.get(`/applications?source=${marker('query')}`);
  await partner.get(`/applications/${marker('folder')}`);
  await stage.submit('Zq0001xw');
  await stage.drain();
  await fixture.pass(HOUR_MS, HOUR_MS / 4);
  await operator.applications.move({ id });
  await operator.applications.decide({ id, decision: 'accepted' });
  await fixture.pass(HOUR_MS, HOUR_MS / 4);
  const visitor = visit(fixture);
  for (const q of [CANDIDATE.email, CANDIDATE.phone, marker('last'), SUBMITTED.sourceApplicationId])
    await visitor.post('/console/applications', { q });
  await visitor.post(`/console/applications/${id}/reveal`);
  const reveal = ['--json', '--reveal', '--as', 'ada', '--reason', 'ticket 815'];
  const exported = await runLine(stage, ['candidates', 'export', '--email', CANDIDATE.email, ...reveal]);
  expect(markersIn(exported.text).length).toBeGreaterThan(10);
  expect(exported.text).toContain('"lastError": "Error: no row for …');
  return id;
}

/** Pulls the item that the host has refused. The consumer still has it when the candidate is erased. */
async function pullRefused(
  { operator, clock }: PersonalStage,
  id: ApplicationId,
): Promise<readonly InboxItem['id'][]> {
  await clock.advance(HOUR_MS);
  const taken = await operator.inbox.take({ leaseMs: HOUR_MS });
  const own = taken.filter(({ applicationId }) => applicationId === id);
  expect(markersIn(JSON.stringify(own))).toEqual(expect.arrayContaining([marker('last'), marker('answer')]));
  return own.map((item) => item.id);
}

/**
 * The bytes of SQLite's files after a checkpoint, or every row of every table of PostgreSQL. A dump has the same rows; the
 * PostgreSQL of the tests comes without `pg_dump`.
 */
async function readDatabase({ database, host }: PersonalStage): Promise<string> {
  const { location } = database;
  if (location.kind === 'sqlite') {
    (host.tx as Database).pragma('wal_checkpoint(truncate)');
    return ['', '-wal', '-shm']
      .map((suffix) => `${location.file}${suffix}`)
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'latin1'))
      .join('\n');
  }
  const rows: unknown[] = [];
  const { schema: one, schemas } = location;
  for (const schema of 'schemas' in schemas ? schemas.schemas : [one]) {
    const found = await host.rows(`select tablename from pg_tables where schemaname = '${schema}'`);
    for (const { tablename: table } of found as readonly { readonly tablename: string }[])
      rows.push(await host.rows(`select "${table}"::text as row from "${schema}"."${table}"`));
  }
  return JSON.stringify(rows);
}

/** Everything that the console and the command line show to somebody with all rights. */
async function readScreens(stage: PersonalStage, id: ApplicationId): Promise<string> {
  const { operator, partner, companyId, jobId, fixture } = stage;
  const {
    items: [details],
  } = await operator.deliveries.list({ applicationId: id });
  const texts: string[] = [];
  const shown = { operator, partner, companyId, jobId, id, eventId: details?.eventId ?? '' };
  for (const { words, isReading } of await linesOf(shown, PERSON)) {
    if (!isReading) continue;
    const reveal = ['--json', '--reveal', '--as', 'ada', '--reason', 'ticket 815'];
    texts.push((await runLine(stage, words)).text, (await runLine(stage, [...words, ...reveal])).text);
  }
  const found = await operator.keys.find({ id: partner.keyId });
  const acme = { partnerId: found?.key.partnerId ?? 'ptn_', keyId: partner.keyId, companyId, jobId };
  const all = { acme, globex: acme, hooli: acme, ada: id, alan: id, grace: id, linus: id };
  const visitor = visit(fixture);
  for (const path of await examplePages({ fixture, ...all, close: async () => {} } as never))
    texts.push((await visitor.get(`/console${path}`)).text);
  texts.push((await visitor.post(`/console/applications/${id}/reveal`)).text);
  texts.push(JSON.stringify(visitor.logged));
  return texts.join('\n');
}

it('no marker of any field is left after an erasure', async () => {
  const stage = await openStage();
  const { operator } = stage;
  const id = await handle(stage);
  const before = await readDatabase(stage);
  expect(markersIn(before)).toEqual(expect.arrayContaining(MARKERS));
  const pulled = await pullRefused(stage, id);

  const words = [
    'candidates',
    'erase',
    '--email',
    CANDIDATE.email.toUpperCase(),
    '--clear-source-id',
    '--yes',
  ];
  const erased = await runLine(stage, words);
  expect(erased.text).toContain(`Erased: ${id}.`);
  refused.isOn = false;
  expect(await operator.inbox.acknowledge(pulled)).toEqual({ acknowledged: 0 });
  await stage.fixture.pass(6 * HOUR_MS, HOUR_MS);
  expect(await operator.applications.find({ id })).toMatchObject({
    erasureItem: { receivedAt: expect.any(Number) },
  });

  expect(stage.sink.files.has(id)).toBe(false);
  expect(markersIn(await readDatabase(stage)), 'database').toEqual([]);
  expect(markersIn(await dump(stage.host)), 'tables').toEqual([]);
  expect(markersIn(erased.text), 'receipt').toEqual([]);
  expect(markersIn(stage.logger.text()), 'log').toEqual([]);
  expect(markersIn(JSON.stringify(stage.fixture.alerts)), 'alerts').toEqual([]);
  expect(markersIn(await readScreens(stage, id)), 'console and command line').toEqual([]);
  const taken = await operator.inbox.take({ limit: 1_000 });
  expect(markersIn(JSON.stringify([taken, await operator.inbox.list({ state: 'parked' })])), 'inbox').toEqual(
    [],
  );
  expect(markersIn(await readDatabase(stage)), 'database, after everything was shown').toEqual([]);
});
