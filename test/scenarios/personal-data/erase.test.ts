/** Finding and erasing candidates, and what the partner and the host see afterwards. */
import { randomUUID } from 'node:crypto';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { foundIn, openPersonalStage, phoneOf, submissionOf } from './stage.js';

const stage = perTest(openPersonalStage, (opened) => opened.close());
const OTHER = 'Zq0002xw';
const PERSON = 'Zq0001xw';

async function listed(since = '') {
  const { json } = await stage.partner.get(`/applications?limit=200${since}`);
  return json.data as readonly Readonly<Record<string, unknown>>[];
}

describe('finding', () => {
  it('finds a person by e-mail in any letter case, and by phone in any format', async () => {
    const id = await stage.submit(PERSON);
    await stage.submit(OTHER);
    const { applications } = stage.operator;
    const digits = phoneOf(PERSON).slice(2);
    for (const target of [
      { email: `mAIL${PERSON.toUpperCase()}@example.ORG` },
      { phone: phoneOf(PERSON) },
      { phone: `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`, country: 'US' },
    ]) {
      const { items, nextCursor } = await applications.list(target);
      expect(items).toMatchObject([
        {
          id,
          partnerName: 'Acme ATS',
          companyName: 'Depot',
          jobTitle: 'Warehouse associate',
          candidate: { lastName: `Last${PERSON}` },
        },
      ]);
      expect(nextCursor).toBeNull();
      expect(await applications.count(target)).toEqual({ count: 1, isExact: true });
    }
    expect((await applications.list({ email: 'nobody@example.org' })).items).toEqual([]);
    const found = await stage.operator.applications.find({ id });
    expect(found?.consent).toEqual({ givenAt: found?.submittedAt, keyId: stage.partner.keyId });
  });

  it('ignores the case of letters beyond ASCII', async () => {
    const candidate = { firstName: 'Jörg', lastName: 'Müller', phone: phoneOf(PERSON) };
    const [lower, upper] = ['jörg.müller@example.org', 'JÖRG.MÜLLER@EXAMPLE.ORG'];
    const ids = [
      await stage.submit(PERSON, { candidate: { ...candidate, email: lower } }),
      await stage.submit(OTHER, { candidate: { ...candidate, email: upper } }),
    ];
    for (const email of [lower, upper, 'Jörg.Müller@Example.org']) {
      const { items: applications } = await stage.operator.applications.list({ email });
      expect(applications.map(({ id }) => id)).toEqual(ids.toSorted());
    }
  });

  it('finds and erases all spellings of a mailbox, and no other mailbox', async () => {
    const spellings = [
      'zoë@büro.example',
      'ZOË@BÜRO.Example',
      'zoë@xn--bro-hoa.example',
      'zoë@büro.example'.normalize('NFD'),
      'zoë@XN--BRO-HOA.example'.normalize('NFD'),
    ];
    const candidate = { firstName: 'Zoë', lastName: 'Quill', phone: phoneOf(PERSON) };
    const submit = (email: string, number: number) =>
      stage.submit(PERSON, { candidate: { ...candidate, email }, sourceApplicationId: `n${number}` });
    const ids: string[] = [];
    for (const [number, email] of spellings.entries()) ids.push(await submit(email, number));
    const tagged = await submit('zoë+jobs@büro.example', 99);
    for (const email of spellings) {
      const { items: applications } = await stage.operator.applications.list({ email });
      expect(applications.map(({ id }) => id)).toEqual(ids.toSorted());
    }
    const receipt = await stage.operator.candidates.erase({ email: spellings[2] ?? '' });
    expect(receipt.applications.map(({ id }) => id)).toEqual(ids.toSorted());
    const left = await stage.operator.applications.list({ email: 'Zoë+JOBS@büro.example' });
    expect(left.items.map(({ id }) => id)).toEqual([tagged]);
  });

  it('pages through the applications of a person, with a cursor that hides the address', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 5; number += 1)
      ids.push(await stage.submit(PERSON, { sourceApplicationId: `n${number}` }));
    const email = `mail${PERSON}@example.org`;
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof stage.operator.applications.list>> =
        await stage.operator.applications.list({ email, limit: 2, ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      if (cursor === null) break;
      expect(foundIn(Buffer.from(cursor, 'base64url').toString(), [PERSON])).toEqual([]);
      const other = stage.operator.applications.list({ email: 'other@example.org', cursor });
      await expect(other).rejects.toThrow(/cursor must be the `nextCursor` of a page with the same filter/);
    } while (cursor !== null);
    expect(seen).toEqual(ids.toSorted());
  });

  it.each([
    [{}, /must have one of applicationId, email and phone/],
    [{ email: 'a@example.org', phone: '+14155550123' }, /must have one of/],
    [{ email: '' }, /email must be text/],
    [{ phone: 'secret number' }, /phone must be a number in E\.164 format/],
    [{ email: 'a@example.org', country: 'US' }, /country only belongs to `phone`/],
    [
      { mail: 'a@example.org' },
      /mail is unknown: a name must be one of applicationId, email, phone, country/,
    ],
  ])('refuses %j', async (target, message) => {
    const { candidates } = stage.operator;
    for (const command of [candidates.export, candidates.erase]) {
      const loose = command as (input: unknown) => Promise<unknown>;
      await expect(loose(target)).rejects.toThrow(message);
      await expect(loose(target)).rejects.not.toThrow(/secret number|a@example/);
    }
  });
});

it.each([
  [{ email: 'a@example.org', phone: '+14155550123' }, /`email`, `phone` cannot be combined/],
  [{ email: 'a@example.org', keyId: 'key_1' }, /`email`, `keyId` cannot be combined/],
  [{ email: 'a@example.org', country: 'US' }, /`email`, `country` cannot be combined/],
  [{ country: 'US' }, /`country` cannot be combined/],
  [{ email: '' }, /email must be text/],
  [{ phone: 'secret number' }, /phone must be a number in E\.164 format/],
])('a list and a count of applications refuse %j, and do not repeat it', async (filter, message) => {
  const { applications } = stage.operator;
  for (const command of [applications.list, applications.count]) {
    const loose = command as (input: unknown) => Promise<unknown>;
    await expect(loose(filter)).rejects.toThrow(message);
    await expect(loose(filter)).rejects.not.toThrow(/secret number|a@example/);
  }
});

describe('erasing', () => {
  it('keeps the application in the partner’s list, where it was', async () => {
    const before = [await stage.submit(PERSON), await stage.submit(OTHER)];
    await stage.drain();
    const [first, second] = await listed();
    const receipt = await stage.operator.candidates.erase({ email: `mail${PERSON}@example.org` });
    const counts = {
      applications: 1,
      sourceApplicationIds: 0,
      replies: 0,
      events: 0,
      excerpts: 0,
      resumeDownloads: 0,
      resumeFiles: 1,
      inboxItems: 0,
    };
    expect(receipt).toEqual({
      erasedAt: stage.clock.now(),
      applications: [
        {
          id: before[0],
          keyId: stage.partner.keyId,
          companyId: stage.companyId,
          jobId: stage.jobId,
          consent: { givenAt: expect.any(Number), keyId: stage.partner.keyId },
          sourceApplicationIdCleared: false,
          changed: true,
          erasureItem: null,
          erasedAt: stage.clock.now(),
          counts,
        },
      ],
      counts,
      notSearched: expect.stringContaining('An address with a tag'),
      notice: "The inbox is off: delete the platform's own rows yourself.",
    });
    expect(await listed()).toEqual([first, second]);
    const erased = await stage.operator.applications.find({ id: before[0] ?? 'ej_app_' });
    expect(erased).toMatchObject({
      candidate: { firstName: '', lastName: '', email: '', phone: '' },
      source: null,
      answers: {},
      resumeUrl: null,
      resume: { kind: 'none' },
      erasedAt: stage.clock.now(),
      status: 'received',
      sourceApplicationId: `Id${PERSON}`,
    });
  });

  it('shows the partner once that its own id was cleared, and lets the id be used again', async () => {
    const key = randomUUID();
    const body = submissionOf(stage.jobId, PERSON);
    const created = await stage.partner.submit(body, key);
    await stage.submit(OTHER);
    const sync = (await stage.partner.get('/applications?limit=200')).json.next_cursor;
    await stage.clock.advance(1_000);
    const again = submissionOf(stage.jobId, PERSON);
    expect((await stage.partner.submit(again)).json).toMatchObject({
      error: 'DUPLICATE_SOURCE_APPLICATION_ID',
    });
    const id = String(created.json.id) as `ej_app_${string}`;
    const receipt = await stage.operator.candidates.erase({
      applicationId: id,
      clearSourceApplicationId: true,
    });
    expect(receipt.counts).toMatchObject({ applications: 1, sourceApplicationIds: 1, replies: 1 });
    expect(sync ?? null).toBeNull();
    const all = await listed();
    expect(all.map((each) => [each.id === id, each.sourceApplicationId])).toEqual([
      [false, `Id${OTHER}`],
      [true, null],
    ]);
    // A repeated request still gets its reply, and creates nobody.
    const replayed = await stage.partner.submit(body, key);
    expect([replayed.status, replayed.json]).toEqual([201, { ...created.json, sourceApplicationId: null }]);
    expect((await stage.partner.submit(again)).status).toBe(201);
  });

  it('lets the host decide later; the event names only ids', async () => {
    const id = await stage.submit(PERSON);
    await stage.operator.candidates.erase({ applicationId: id, clearSourceApplicationId: true });
    await stage.operator.applications.move({ id });
    await stage.operator.applications.decide({ id, decision: 'accepted' });
    await stage.drain();
    const [event] = stage.fixture.transport
      .events()
      .filter(({ type }) => type === 'application.status_changed');
    expect(event?.data).toMatchObject({
      applicationId: id,
      sourceApplicationId: null,
      newStatus: 'accepted',
    });
    await expect(stage.operator.applications.updateResume({ id, fetch: 'again' })).rejects.toThrow(
      `The candidate of application ${id} was erased.`,
    );
  });

  it('sends an event that waits without the cleared id', async () => {
    const id = await stage.submit(PERSON);
    await stage.operator.endpoints.pause({ keyId: stage.partner.keyId });
    await stage.operator.applications.move({ id });
    await stage.operator.applications.decide({ id, decision: 'rejected' });
    const erasure = { applicationId: id, clearSourceApplicationId: true };
    expect((await stage.operator.candidates.erase(erasure)).counts.events).toBe(1);
    await stage.operator.endpoints.resume({ keyId: stage.partner.keyId });
    await stage.drain();
    const [event] = stage.fixture.transport
      .events()
      .filter(({ type }) => type === 'application.status_changed');
    expect(event?.data).toMatchObject({ applicationId: id, sourceApplicationId: null });
  });

  it('changes nothing the second time, and tells the instant and the counts of the first', async () => {
    stage.fixture.transport.answerWith({ kind: 'answered', status: 500, excerpt: PERSON });
    const id = await stage.submit(PERSON);
    await stage.operator.applications.move({ id });
    await stage.operator.applications.decide({ id, decision: 'accepted' });
    await stage.drain();
    const first = await stage.operator.candidates.erase({ applicationId: id });
    await stage.clock.advance(5_000);
    const second = await stage.operator.candidates.erase({ applicationId: id });
    expect(first.applications).toMatchObject([{ changed: true }]);
    expect(second.applications).toMatchObject([{ changed: false }]);
    expect(first.counts).toMatchObject({ applications: 1, excerpts: 2, resumeFiles: 1 });
    expect({ ...second, applications: first.applications }).toEqual(first);
    expect((await stage.operator.applications.find({ id }))?.erasedAt).toBe(first.erasedAt);
    const cleared = await stage.operator.candidates.erase({
      applicationId: id,
      clearSourceApplicationId: true,
    });
    expect(cleared.applications).toMatchObject([{ changed: true, sourceApplicationIdCleared: true }]);
    const counts = { ...first.counts, sourceApplicationIds: 1, replies: 1, events: 1 };
    expect(cleared).toMatchObject({ erasedAt: first.erasedAt, counts });
    const unknown = stage.operator.candidates.erase({ applicationId: 'ej_app_none' });
    await expect(unknown).rejects.toMatchObject({ code: 'APPLICATION_NOT_FOUND' });
  });

  it('erases every application of a person with more than one commit holds', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 130; number += 1)
      ids.push(await stage.submit(PERSON, { sourceApplicationId: `n${number}`, resumeUrl: null }));
    await stage.submit(OTHER);
    const receipt = await stage.operator.candidates.erase({ phone: phoneOf(PERSON) });
    expect(receipt.applications.map(({ id }) => id)).toEqual(ids.toSorted());
    expect(receipt.counts.applications).toBe(130);
    const { items: applications } = await stage.operator.applications.list({ phone: phoneOf(PERSON) });
    expect(applications).toEqual([]);
    expect((await stage.operator.applications.list({ phone: phoneOf(OTHER) })).items).toHaveLength(1);
  });
});
