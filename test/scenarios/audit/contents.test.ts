/** What the audit contains, and how it is read. */
import { afterAll, describe, expect, it } from 'vitest';
import type { AuditFilter } from '../../../packages/core/src/features/audit/commands.js';
import { commandsOf } from '../operator/every-command.js';
import { openStage, PICKER } from '../operator/stage.js';
import { readStoredRows } from './stored-rows.js';
import { prepareCall, WRITING_COMMANDS } from './writing-commands.js';

const stage = await openStage({ sandbox: true });
const { operator } = stage;
const host = await stage.host();
afterAll(host.close);

/** A word for each field that no audit entry may contain. */
const MARKERS = {
  candidate: {
    firstName: 'Zqfirstxw',
    lastName: 'Zqlastxw',
    email: 'zqmailxw@example.org',
    phone: '+14155559876',
  },
  source: 'Zqsourcexw',
  answers: { Zqquestionxw: 'Zqanswerxw' },
  resumeUrl: 'https://cv.example/Zqpathxw?token=Zqtokenxw',
} as const;
/** A key has each id of a partner's application once. */
function markersOf(number: number) {
  return { ...MARKERS, sourceApplicationId: `Zqsource${number}xw` };
}

const WORDS = /zq\w+xw|14155559876|whsec_|pek_/i;

it('contains nothing of a candidate and no secret, whichever command ran', async () => {
  const secrets: string[] = [];
  let planted = 0;
  const marked = {
    ...stage,
    application: (...[keyId, job]: Parameters<typeof stage.application>) => {
      planted += 1;
      return stage.application(keyId, job, markersOf(planted));
    },
  };
  for (const name of WRITING_COMMANDS) {
    const { input, setting } = await prepareCall(marked, name);
    await commandsOf(operator)
      .get(name)?.(input)
      .then((answer) => {
        const issued = answer as {
          secret?: string;
          signingSecret?: string;
          endpoint?: { signingSecret?: string };
        } | null;
        secrets.push(
          ...[issued?.secret, issued?.signingSecret, issued?.endpoint?.signingSecret].flatMap(
            (each) => each ?? [],
          ),
        );
      });
    const { keyId, companyId, hash } = setting;
    secrets.push(hash);
    await operator.endpoints.setUrl({ keyId, url: 'https://ats.example/Zqpathxw?token=Zqtokenxw' });
    await operator.candidates.erase({ email: MARKERS.candidate.email });
    await operator.candidates.erase({ phone: MARKERS.candidate.phone });
    await operator.candidates.eraseMany({ companyId });
  }
  const stored = (await readStoredRows(host)).get('ph_audit') ?? [];
  expect(stored.length).toBeGreaterThan(WRITING_COMMANDS.length);
  for (const row of stored) expect(row).not.toMatch(WORDS);
  expect(secrets.length).toBeGreaterThan(WRITING_COMMANDS.length + 3);
  for (const secret of new Set(secrets)) expect(stored.filter((row) => row.includes(secret))).toEqual([]);
}, 120_000);

it('is complete after an erasure: the entries of the application stay', async () => {
  const [keyId, companyId] = [await stage.key(), await stage.company()];
  await operator.access.grant({ keyId, companyId });
  const job = await operator.jobs.publish({ ...PICKER, companyId });
  const { id } = await stage.application(keyId, job, markersOf(0));
  await operator.applications.move({ id });
  await operator.candidates.erase({ email: MARKERS.candidate.email, clearSourceApplicationId: true });
  const { items: entries } = await operator.audit.list({ object: { kind: 'application', id } });
  expect(entries).toMatchObject([
    {
      act: 'candidates.erase',
      keyId,
      partnerName: 'Acme ATS',
      keyLabel: 'Acme ATS (production)',
      count: 1,
      filter: { by: 'email', clearSourceApplicationId: true },
    },
    {
      act: 'applications.move',
      before: { status: 'received', stage: 'initial_outreach' },
      after: { status: 'in_progress', stage: 'video_interview' },
    },
  ]);
});

it('says what an update of a job changed, and of an endpoint only the origin', async () => {
  const [keyId, companyId] = [await stage.key(), await stage.company()];
  const job = await operator.jobs.publish({ ...PICKER, companyId });
  const question = { key: 'nights', label: 'Nights?', type: 'boolean', required: true };
  await operator.jobs.update({ id: job.id, changes: { title: 'Packer', applicationFormSchema: [question] } });
  const { items: entries } = await operator.audit.list({ object: { kind: 'job', id: job.id }, limit: 1 });
  expect(entries).toMatchObject([
    {
      before: { title: 'Picker', applicationFormSchema: null },
      after: { title: 'Packer', applicationFormSchema: { keys: ['nights'], digest: expect.any(String) } },
    },
  ]);
  expect(Object.keys(entries[0]?.after ?? {}).sort()).toEqual(['applicationFormSchema', 'title']);
  await operator.endpoints.setUrl({ keyId, url: 'https://new.example/hooks?token=secret' });
  const ofEndpoint = await operator.audit.list({ object: { kind: 'endpoint', id: keyId } });
  expect(ofEndpoint.items).toMatchObject([
    { before: { origin: 'https://ats.example' }, after: { origin: 'https://new.example' } },
  ]);
});

it('names partners, keys, endpoints, companies and jobs, and never candidates', async () => {
  const [keyId, companyId] = [await stage.key(), await stage.company()];
  await operator.access.grant({ keyId, companyId });
  const job = await operator.jobs.publish({ ...PICKER, companyId, title: 'Night picker' });
  const { id } = await stage.application(keyId, job, markersOf(9_000));
  await operator.applications.move({ id });
  await operator.endpoints.pause({ keyId });
  const { key } = (await operator.keys.find({ id: keyId })) ?? {};
  const { name: partner } = await operator.partners
    .update({ id: key?.partnerId ?? 'ptn_none', name: 'Acme Two' })
    .then((renamed) => renamed.partner);
  const company = (await operator.companies.find({ id: companyId }))?.name;
  const { items } = await operator.audit.list({ limit: 5 });
  expect(items.map(({ objectNames }) => objectNames)).toEqual([
    [partner],
    [`${partner} (production)`],
    [null],
    ['Night picker'],
    [company, `${partner} (production)`],
  ]);
});

describe('actors', () => {
  it.each([
    [{}, 'id must be text'],
    [{ id: ' ' }, 'id must be text'],
    [{ id: 'x'.repeat(201) }, 'id must be text'],
    [{ id: 7 }, 'id must be text'],
    [{ id: 'system:sandbox' }, 'id must not start with system:'],
    [{ id: 'ada', name: '' }, 'name must be text'],
    [{ id: 'ada', reason: 'x'.repeat(501) }, 'reason must be text'],
    [{ id: 'ada', mail: 'a@b' }, 'mail is unknown'],
    [null, 'the actor must be an object'],
    ['ada', 'the actor must be an object'],
  ])('%j is refused', (actor, message) => {
    for (const as of [operator.as, operator.within(host.tx).as])
      expect(() => as(actor as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(message) }),
      );
  });

  it('the last actor counts, and none is the host', async () => {
    const companyId = await stage.company();
    await operator
      .as({ id: 'ada' })
      .as({ id: 'grace', reason: 'r' })
      .companies.rename({ id: companyId, name: 'B' });
    await operator.companies.rename({ id: companyId, name: 'C' });
    const { items: entries } = await operator.audit.list({ object: { kind: 'company', id: companyId } });
    expect(entries.map(({ actor }) => actor)).toEqual([
      { id: 'host', name: null, reason: null, door: 'library' },
      { id: 'grace', name: null, reason: 'r', door: 'library' },
      { id: 'host', name: null, reason: null, door: 'library' },
    ]);
  });

  it('the door is that of the program through which they act, in each order', async () => {
    const companyId = await stage.company();
    await operator.through('console').as({ id: 'ada' }).companies.rename({ id: companyId, name: 'B' });
    await operator.as({ id: 'ada' }).through('command_line').companies.rename({ id: companyId, name: 'C' });
    const { items: entries } = await operator.audit.list({ object: { kind: 'company', id: companyId } });
    expect(entries.map(({ actor: { id, door } }) => [id, door])).toEqual([
      ['ada', 'command_line'],
      ['ada', 'console'],
      ['host', 'library'],
    ]);
  });
});

describe('a list', () => {
  it('goes on by cursor, for each selection and a range of time', async () => {
    const companyId = await stage.company();
    const ada = operator.as({ id: `ada-${companyId}` });
    for (let index = 0; index < 7; index += 1) {
      await stage.clock.advance(10);
      await ada.companies.rename({ id: companyId, name: `Depot ${index}` });
    }
    const filters: readonly AuditFilter[] = [
      { actorId: `ada-${companyId}` },
      { object: { kind: 'company', id: companyId } },
      { act: 'companies.rename' },
      {},
    ];
    const newest = (await operator.audit.list({ limit: 7 })).items;
    for (const filter of filters) {
      const found: unknown[] = [];
      let cursor: string | undefined;
      while (found.length < 7) {
        const page = await operator.audit.list({
          ...filter,
          limit: 2,
          ...(cursor === undefined ? {} : { cursor }),
        });
        found.push(...page.items);
        cursor = page.nextCursor ?? undefined;
      }
      expect(found.slice(0, 7)).toEqual(newest);
      const since = newest[4]?.at ?? 0;
      const until = newest[1]?.at ?? 0;
      expect((await operator.audit.list({ ...filter, since, until })).items).toEqual(newest.slice(2, 5));
    }
    const { nextCursor } = await operator.audit.list({ limit: 2 });
    const wrong = operator.audit.list({ act: 'companies.rename', cursor: nextCursor ?? '' });
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('has the acts on a key and on its endpoint by the id of the key, each once, over pages', async () => {
    const keyId = await stage.key();
    await operator.keys.rotate({ id: keyId });
    await operator.endpoints.setUrl({ keyId, url: 'https://ats.example/moved' });
    await operator.endpoints.pause({ keyId });
    await operator.keys.rotate({ id: keyId });
    const acts = ['keys.rotate', 'endpoints.pause', 'endpoints.setUrl', 'keys.rotate', 'keys.issue'];
    for (const limit of [1, 2, 100]) {
      const found: string[] = [];
      for await (const { act } of operator.audit.each({ keyId, limit })) found.push(act);
      expect(found).toEqual(acts);
    }
    const { items } = await operator.audit.list({ object: { kind: 'key', id: keyId } });
    expect(items.map(({ act }) => act)).toEqual(acts.filter((act) => act.startsWith('keys.')));
  });

  it.each([
    [{ actorId: 'a', act: 'jobs.close' }, '`actorId` and `act` cannot be combined. Pass one of'],
    [{ act: 'jobs.close', object: { kind: 'job', id: 'job_1' } }, '`act` and `object` cannot be combined'],
    [{ keyId: 'key_1', object: { kind: 'key', id: 'key_1' } }, '`keyId` and `object` cannot be combined'],
    [{ act: 'jobs.clos' }, 'act must be one of partners.create'],
    [{ object: { kind: 'jobs', id: 'job_1' } }, 'object.kind must be one of partner'],
    [{ object: { kind: 'job' } }, 'object.id must be text'],
    [{ object: 'job_1' }, 'object must be an object'],
    [{ since: -1 }, 'since must be an instant'],
    [{ limit: 1_001 }, 'limit must be'],
  ])('%j is refused', async (filter, message) => {
    await expect(operator.audit.list(filter as AuditFilter)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(message),
    });
  });
});
