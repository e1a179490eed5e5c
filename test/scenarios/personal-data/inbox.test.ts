/** With the inbox on: the host never receives the data of an erased candidate, and hears of each erasure. */
import type { InboxItem } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ApplicationId } from '../../../packages/core/src/domain/ids.js';
import { DAY_MS } from '../../../packages/core/src/domain/time.js';
import { openInboxStage } from '../inbox/stage.js';
import { dump } from './stage.js';

const HOUR_MS = 3_600_000;
const RESUME = { resumeUrl: 'https://ats.example.org/a.pdf' };

const stage = perTest(
  () => openInboxStage(),
  (opened) => opened.close(),
);

const submit = async (...args: Parameters<typeof stage.submit>) =>
  (await stage.submit(...args)) as ApplicationId;
const erase = (applicationId: ApplicationId) => stage.fixture.operator.candidates.erase({ applicationId });
const kindsOf = (items: readonly InboxItem[]) =>
  items.map(({ kind, applicationId }) => [kind, applicationId]);
const refusesErasures = ({ kind }: InboxItem) => kind === 'candidate.erased';

describe('an erasure', () => {
  it('is told by push in the host’s transaction, exactly once, and drops earlier items', async () => {
    const unread = await submit('Unread', RESUME);
    const read = await submit('Read');
    const submittedAt = stage.clock.now();
    await stage.drain();
    const drainedAt = stage.clock.now();
    const late = await submit('Late');
    const before = (await stage.fixture.operator.system.status()).inbox;
    const inboxOf = async (applicationId: ApplicationId) =>
      (await stage.fixture.operator.candidates.export({ applicationId })).applications[0]?.inbox;
    const [submitted] = (await inboxOf(read)) ?? [];
    expect(submitted).toMatchObject({ kind: 'application.submitted', failures: 0 });
    // On a slow machine, the clock moves on while the inbox is drained.
    expect(submitted?.receivedAt).toBeGreaterThanOrEqual(submittedAt);
    expect(submitted?.receivedAt).toBeLessThanOrEqual(drainedAt);
    expect(await inboxOf(read)).toHaveLength(1);
    const receipts = [await erase(read), await erase(late), await erase(unread)];
    expect(before.unread).toBe(1);
    expect(receipts.map(({ counts }) => counts.inboxItems)).toEqual([0, 1, 0]);
    expect((await stage.fixture.operator.system.status()).inbox).toMatchObject({ unread: 3, parked: 0 });
    await stage.fixture.pass(HOUR_MS, HOUR_MS / 4);
    expect(await inboxOf(late)).toMatchObject([{ kind: 'candidate.erased', receivedAt: expect.any(Number) }]);
    const told = (await stage.received()).filter((row) => row.endsWith('candidate.erased'));
    expect(told.toSorted()).toEqual([read, late, unread].map((id) => `${id} candidate.erased`).toSorted());
    expect(await stage.received()).toHaveLength(3);
    const items = stage.batches.flat().filter(refusesErasures);
    expect(items).toHaveLength(3);
    expect(items.find(({ applicationId }) => applicationId === read)).toEqual({
      id: `${read}.erased`,
      kind: 'candidate.erased',
      at: receipts[0]?.erasedAt,
      applicationId: read,
      keyId: stage.partner.keyId,
      environment: 'production',
      partnerId: expect.stringMatching(/^ptn_/),
      partnerName: 'Acme ATS',
    });
    expect(stage.batches.flat().map(({ application }) => application?.candidate.lastName)).not.toContain(
      'Late',
    );
    expect((await stage.fixture.operator.system.status()).inbox).toMatchObject({ unread: 0, parked: 0 });
  });

  it('is repeated by pull until it is acknowledged, and then shows when', async () => {
    const id = await submit('Ada');
    await stage.drain();
    const { operator } = stage.fixture;
    const first = await erase(id);
    const item = { id: `${id}.erased`, at: first.erasedAt };
    expect(first).toMatchObject({
      notice: null,
      applications: [{ changed: true, erasureItem: { ...item, receivedAt: null, parkedAt: null } }],
    });
    for (let turn = 0; turn < 2; turn += 1) {
      const taken = await operator.inbox.take({ leaseMs: 5_000 });
      expect(kindsOf(taken)).toEqual([['candidate.erased', id]]);
      expect(await operator.inbox.take()).toEqual([]);
      await stage.clock.advance(5_000);
    }
    const ids = (await operator.inbox.take({ leaseMs: 5_000 })).map((each) => each.id);
    expect(await operator.inbox.acknowledge(ids)).toEqual({ acknowledged: 1 });
    expect(await operator.inbox.acknowledge(ids)).toEqual({ acknowledged: 0 });
    const receivedAt = stage.clock.now();
    await stage.clock.advance(60_000);
    expect(await operator.inbox.take()).toEqual([]);
    const erasureItem = { ...item, receivedAt, parkedAt: null };
    expect(await operator.applications.find({ id })).toMatchObject({ erasureItem });
    const second = await erase(id);
    expect(second).toMatchObject({ notice: null, applications: [{ changed: false, erasureItem }] });
    expect(await operator.inbox.take()).toEqual([]);
    const { entries } = await operator.timelines.find({ applicationId: id });
    expect(entries.map(({ text }) => text)).toContain(
      'The host received the erasure of the candidate from its inbox.',
    );
  });

  it('reaches a consumer that took the application before, as soon as it acknowledges', async () => {
    const id = await submit('Ada');
    const { operator } = stage.fixture;
    const taken = await operator.inbox.take({ leaseMs: HOUR_MS });
    expect(kindsOf(taken)).toEqual([['application.submitted', id]]);
    await erase(id);
    expect(await operator.inbox.take()).toEqual([]);
    expect(await operator.inbox.acknowledge(taken.map((each) => each.id))).toEqual({ acknowledged: 0 });
    const told = await operator.inbox.take();
    expect(kindsOf(told)).toEqual([['candidate.erased', id]]);
    expect(await operator.inbox.acknowledge(told.map((each) => each.id))).toEqual({ acknowledged: 1 });
  });

  it('does not wait for a parked item, is retried, and parked with the alert', async () => {
    const id = await submit('Refused');
    let refuses = true;
    stage.failFor((item) => refuses && (item.applicationId === id || refusesErasures(item)));
    const { operator } = stage.fixture;
    const until = async (hours: number) => {
      for (let hour = 0; hour < hours; hour += 3) {
        await stage.submit(`Fine${stage.clock.now()}`);
        await stage.fixture.pass(3 * HOUR_MS);
      }
    };
    await until(45);
    expect((await operator.inbox.list({ state: 'parked' })).items).toMatchObject([
      { kind: 'application.submitted' },
    ]);
    expect((await erase(id)).counts.inboxItems).toBe(1);
    expect((await operator.inbox.list({ state: 'parked' })).items).toEqual([]);
    await until(45);
    const { items } = await operator.inbox.list({ state: 'parked' });
    expect(items).toMatchObject([
      {
        id: `${id}.erased`,
        kind: 'candidate.erased',
        applicationId: id,
        lastError: 'Error: The message is not recorded, because it may name an erased candidate.',
      },
    ]);
    expect(stage.fixture.alerts.filter(({ kind }) => kind === 'inbox_item_parked')).toMatchObject([
      { itemId: expect.stringMatching(/\.\d+$/) },
      { itemId: `${id}.erased` },
    ]);
    expect((await operator.system.status()).inbox).toMatchObject({ parked: 1 });
    expect(await operator.applications.find({ id })).toMatchObject({
      erasureItem: { receivedAt: null, parkedAt: items[0]?.parkedAt },
    });
    refuses = false;
    expect(await operator.inbox.retry({ all: true })).toEqual({ retried: 1 });
    await stage.fixture.pass(60_000, 5_000);
    expect(await stage.received()).toContain(`${id} candidate.erased`);
    expect((await operator.system.status()).inbox).toMatchObject({ unread: 0, parked: 0 });
  });

  it('is told whoever erases: an actor, the host’s transaction, another process, an operation', async () => {
    const actor = await submit('Actor');
    const within = await submit('Within');
    const rolledBack = await submit('RolledBack');
    const other = await submit('Other');
    const operation = await submit('Operation');
    await stage.drain();
    const { operator } = stage.fixture;
    await operator.as({ id: 'sue' }).candidates.erase({ applicationId: actor });
    for (const [id, end] of [
      [within, 'commit'],
      [rolledBack, 'rollback'],
    ] as const) {
      await stage.host.run('begin');
      await operator.within(stage.host.tx).as({ id: 'sue' }).candidates.erase({ applicationId: id });
      await stage.host.run(end);
    }
    const cli = await stage.another();
    await cli.operator.candidates.erase({ applicationId: other });
    expect(kindsOf(await operator.inbox.take({ leaseMs: 1_000 })).map(([, id]) => id)).toEqual(
      [actor, within, other].toSorted(),
    );
    await stage.clock.advance(1_000);
    await operator.candidates.eraseMany({ changedBefore: stage.clock.now() });
    await stage.fixture.pass(5_000, 1_000);
    expect(await stage.received()).toEqual(
      expect.arrayContaining(
        [actor, within, rolledBack, other, operation].map((id) => `${id} candidate.erased`),
      ),
    );
    expect(await stage.received()).toHaveLength(5);
  });

  it('is told by retention too, once', async () => {
    const kept = await openInboxStage({ platform: { retention: { applicationsMs: DAY_MS } } });
    onTestFinished(() => kept.close());
    const id = await kept.submit('Old');
    await kept.drain();
    expect(await kept.received()).toEqual(['Old']);
    await kept.fixture.pass(3 * DAY_MS, DAY_MS / 4);
    expect(await kept.received()).toEqual([`${id} candidate.erased`]);
    expect(kept.batches.flat().filter(refusesErasures)).toHaveLength(1);
  });

  it('changes nothing for the partner', async () => {
    const id = await submit('Ada');
    const read = () => stage.partner.get('/applications');
    const before = await read();
    await stage.clock.advance(60_000);
    await erase(id);
    await stage.drain();
    const after = await read();
    expect(after.json).toEqual(before.json);
    expect(after.headers.get('x-updated-through')).toBe(before.headers.get('x-updated-through'));
    expect(after.headers.get('x-updated-through')).toMatch(/Z$/);
  });

  it('records nothing while the inbox is off, says so, and is listed', async () => {
    const ids = [await submit('First'), await submit('Second'), await submit('Third')] as const;
    await stage.drain();
    const { operator } = stage.fixture;
    await operator.inbox.turn({ on: false });
    const [first, second, third] = ids;
    const receipt = await erase(second);
    expect(receipt.notice).toBe("The inbox is off: delete the platform's own rows yourself.");
    expect(receipt.applications).toMatchObject([{ erasureItem: null }]);
    expect((await operator.candidates.eraseMany({ changedBefore: 5 })).notice).toBe(receipt.notice);
    await stage.clock.advance(10);
    await erase(first);
    await operator.inbox.turn({ on: true });
    expect(await operator.inbox.take()).toEqual([]);
    expect((await erase(first)).notice).toBe(
      "The inbox was off when the candidate was erased: delete the platform's own rows yourself.",
    );
    expect((await erase(third)).notice).toBeNull();
    const list = async (erasedSince: number, limit?: number, cursor?: string) =>
      operator.applications.list({ erasedSince, ...(limit && { limit }), ...(cursor && { cursor }) });
    const page = await list(receipt.erasedAt, 1);
    expect(page.items).toMatchObject([{ id: second, erasedAt: receipt.erasedAt }]);
    const rest = await list(receipt.erasedAt, undefined, page.nextCursor ?? '');
    expect(rest.items.map(({ id }) => id)).toEqual([first, third].toSorted());
    expect((await list(receipt.erasedAt + 1)).items).toHaveLength(2);
    expect((await list(stage.clock.now() + 1)).items).toEqual([]);
  });
});

it('a refused item goes with its error, and so does a parked one', async () => {
  await stage.submit('Refused');
  stage.failFor(({ application }) => application?.candidate.lastName === 'Refused');
  const { operator } = stage.fixture;
  for (let hour = 0; hour < 40; hour += 1) {
    await stage.submit(`Fine${hour}`);
    await stage.fixture.pass(HOUR_MS);
  }
  const { items } = await operator.inbox.list({ state: 'parked' });
  expect(items).toMatchObject([{ lastError: 'Error: no place for …' }]);
  const exported = await operator.candidates.export({ email: 'refused@example.org' });
  expect(exported.applications).toMatchObject([{ inboxItems: [{ lastError: 'Error: no place for …' }] }]);
  const receipt = await operator.candidates.erase({ email: 'refused@example.org' });
  expect(receipt.counts.inboxItems).toBe(1);
  expect((await operator.inbox.list({ state: 'parked' })).items).toEqual([]);
  stage.failFor(() => false);
  await stage.fixture.pass(HOUR_MS);
  expect(await stage.received()).not.toContain('Refused');
  expect((await dump(stage.host)).toLowerCase()).not.toContain('refused@');
  expect(stage.logger.text()).not.toContain('Refused');
});
