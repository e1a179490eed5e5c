/** The host hears of changes that its own code has not made. */
import type { InboxChanges, InboxItem } from '@partner-hiring/core';
import { createPartner, submission } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sandboxJobId } from '../../../packages/core/src/features/sandbox/job-rules.js';
import { passFor } from '../sandbox/stage.js';
import { candidate, type InboxStage, openInboxStage } from './stage.js';

type Id = `ej_app_${string}`;

/** A stage whose host keeps what it received. Ignores kinds that it does not know, as the docs say. */
async function openStage(changes?: InboxChanges, options: Parameters<typeof openInboxStage>[0] = {}) {
  const received: InboxItem[] = [];
  const stage = await openInboxStage({
    receive: (items) => void received.push(...items),
    inbox: (receive) => (changes === undefined ? { receive } : { receive, changes }),
    ...options,
  });
  return { ...stage, received: () => received };
}

const stage = perTest(
  () => openStage(),
  ({ close }) => close(),
);

const STAFF = { id: 'staff-7', name: 'Grace Hopper' };

async function changesOf(of: { received(): readonly InboxItem[] } & Pick<InboxStage, 'drain'>) {
  await of.drain();
  return of.received().flatMap((item) => (item.kind === 'application.changed' ? [item] : []));
}

describe('staff', () => {
  it.each(['console', 'command_line'] as const)(
    'through the %s are told of, with both states',
    async (door) => {
      const id = (await stage.submit('Lovelace')) as Id;
      const { applications } = stage.fixture.operator.through(door).as(STAFF);
      await applications.move({ id });
      await applications.move({ id, stage: 'final_review' });
      await applications.decide({ id, decision: 'accepted' });
      const found = await changesOf(stage);
      const states = [
        { status: 'received', stage: 'initial_outreach' },
        { status: 'in_progress', stage: 'video_interview' },
        { status: 'in_progress', stage: 'final_review' },
        { status: 'accepted', stage: 'hired' },
      ];
      expect(found.map(({ change }) => change)).toEqual(
        states.slice(1).map((to, index) => ({ from: states[index], to, by: STAFF.id, door })),
      );
      expect(JSON.stringify(found)).not.toContain(STAFF.name);
      for (const { application, applicationId, warnings } of found) {
        expect(application).toMatchObject({ id, status: 'accepted', candidate: { lastName: 'Lovelace' } });
        expect([applicationId, warnings]).toEqual([id, []]);
      }
      // After the submission, with the stamps of the changes.
      expect(stage.received().map(({ kind }) => kind)).toEqual([
        'application.submitted',
        ...Array(3).fill('application.changed'),
      ]);
      expect(found.at(-1)?.at).toBe(found.at(-1)?.application.changedAt);
    },
  );

  it('who decide on many at once are told of for each, as for one', async () => {
    const ids = [(await stage.submit('Lovelace')) as Id, (await stage.submit('Turing')) as Id];
    const { operator } = stage.fixture;
    await operator.applications.move(ids.map((id) => ({ id })));
    const decision = { act: 'applications.decide', decision: 'rejected', ids } as const;
    const { notice } = await operator.through('console').as(STAFF).bulk.start(decision);
    expect(notice).toBeNull();
    const found = await changesOf(stage);
    expect(found.map(({ applicationId }) => applicationId).toSorted()).toEqual(ids.toSorted());
    for (const { change } of found)
      expect(change).toMatchObject({ to: { status: 'rejected' }, by: STAFF.id, door: 'console' });
  });

  it('that change nothing are not told of', async () => {
    const id = (await stage.submit('Lovelace')) as Id;
    const { applications } = stage.fixture.operator.through('console').as(STAFF);
    await applications.move({ id });
    await applications.move({ id });
    await applications.decide({ id, decision: 'rejected' });
    await expect(applications.decide({ id, decision: 'accepted' })).rejects.toThrow('final');
    expect(await changesOf(stage)).toHaveLength(2);
  });
});

describe('the platform itself', () => {
  it('is not told of its own changes, with `as`, within its transaction or outside', async () => {
    const ids = [await stage.submit('Lovelace'), await stage.submit('Hopper')] as Id[];
    const { operator } = stage.fixture;
    const [first, second] = ids as [Id, Id];
    await operator.applications.move({ id: first });
    await operator.as(STAFF).applications.decide({ id: first, decision: 'accepted' });
    await stage.host.run('begin');
    await operator.within(stage.host.tx).as(STAFF).applications.move({ id: second });
    await stage.host.run('commit');
    expect(await changesOf(stage)).toEqual([]);
  });

  it('hears of what staff do in its transaction through a door, if that commits', async () => {
    const id = (await stage.submit('Lovelace')) as Id;
    const { operator } = stage.fixture;
    const inConsole = operator.through('console').as(STAFF);
    for (const [end, count] of [
      ['rollback', 0],
      ['commit', 1],
    ] as const) {
      await stage.host.run('begin');
      await inConsole.within(stage.host.tx).applications.move({ id });
      await stage.host.run(end);
      expect(await changesOf(stage)).toHaveLength(count);
    }
  });
});

describe('an erasure', () => {
  it('removes unread changes, and none follows it', async () => {
    const id = (await stage.submit('Lovelace')) as Id;
    await stage.drain();
    const { operator } = stage.fixture;
    await operator.through('console').as(STAFF).applications.move({ id });
    await operator.candidates.erase({ applicationId: id });
    await operator
      .through('console')
      .as(STAFF)
      .applications.decide({ id, decision: 'rejected' })
      .catch(() => {});
    await stage.drain();
    expect(stage.received().map(({ kind }) => kind)).toEqual(['application.submitted', 'candidate.erased']);
  });
});

describe('the timeline of an application', () => {
  it('says when the host received its last change', async () => {
    const id = (await stage.submit('Lovelace')) as Id;
    const { operator } = stage.fixture;
    await operator.through('console').as(STAFF).applications.move({ id });
    const texts = async () =>
      (await operator.timelines.find({ applicationId: id })).entries
        .filter(({ kind }) => kind === 'inbox')
        .map(({ text }) => text);
    expect(await texts()).toEqual([
      'The host has not received the application yet. It waits in the inbox.',
      'The host has not received the change of the application yet. It waits in the inbox.',
    ]);
    await stage.drain();
    // Received at the same instant.
    expect((await texts()).toSorted()).toEqual([
      'The host received the application from its inbox.',
      'The host received the change of the application from its inbox.',
    ]);
  });
});

describe('an application before its decision', () => {
  it('says whether the host hears of changes by staff', async () => {
    const id = (await stage.submit('Lovelace')) as Id;
    const { operator } = stage.fixture;
    const notice = async () => (await operator.applications.find({ id }))?.notice;
    expect(await notice()).toBeNull();
    await operator.inbox.turn({ on: true, changes: 'none' });
    expect(await notice()).toBe("The platform's own system is not told of this: its inbox takes no changes.");
    await operator.inbox.turn({ on: false });
    expect(await notice()).toBe("The platform's own system is not told of this: its inbox is off.");
    await operator.applications.move({ id });
    await operator.applications.decide({ id, decision: 'accepted' });
    expect(await notice()).toBeUndefined();
  });
});

describe('automatic acts', () => {
  it.each<[InboxChanges, readonly string[]]>([
    ['all', ['video_interview', 'under_review', 'final_review', 'hired']],
    ['staff', []],
  ])('with the option %s give the stages %j', async (changes, stages) => {
    const own = await openStage(changes, { platform: { sandbox: true } });
    onTestFinished(() => own.close());
    const partner = await createPartner(own.fixture, { sandbox: true });
    const to = sandboxJobId(partner.keyId, 'open');
    const someone = { ...candidate('Lovelace'), email: 'accepted@sandbox.example' };
    expect((await partner.submit(submission(to, { candidate: someone }))).status).toBe(201);
    await passFor(own.clock, [own.fixture], 12_000);
    const found = await changesOf(own);
    expect(found.map(({ change }) => change.to.stage)).toEqual(stages);
    for (const { change, environment } of found) {
      expect(change).toMatchObject({ by: expect.stringMatching(/^system:/), door: 'automatic' });
      expect(environment).toBe('sandbox');
    }
  });
});

describe('the option', () => {
  it.each<[InboxChanges, number]>([
    ['staff', 1],
    ['all', 1],
    ['none', 0],
  ])('%s gives %i change of staff', async (changes, count) => {
    const own = await openStage(changes);
    onTestFinished(() => own.close());
    const id = (await own.submit('Lovelace')) as Id;
    await own.drain();
    expect((await own.fixture.operator.system.status()).inbox).toMatchObject({ isOn: true, changes });
    await own.fixture.operator.through('command_line').as(STAFF).applications.move({ id });
    expect(await changesOf(own)).toHaveLength(count);
  });

  it('must be one of the three', async () => {
    await expect(openStage('some' as InboxChanges)).rejects.toThrow(
      '`inbox.changes` must be one of staff, all, none.',
    );
  });

  it('of a consumer without `receive` is chosen when it turns the inbox on', async () => {
    // A process with the option chooses at its first submission.
    const id = (await stage.submit('Lovelace')) as Id;
    const { inbox, system } = (await stage.another()).operator;
    expect(await inbox.turn({ on: true, changes: 'none' })).toEqual({ changed: true });
    expect(await inbox.turn({ on: true, changes: 'none' })).toEqual({ changed: false });
    expect(await inbox.turn({ on: true })).toEqual({ changed: false });
    expect((await system.status()).inbox).toMatchObject({ changes: 'none' });
    await stage.fixture.operator.through('console').as(STAFF).applications.move({ id });
    expect(await changesOf(stage)).toEqual([]);
  });
});

it('a refused change waits, and later changes of its application wait behind it', async () => {
  let refuses = true;
  const received: string[] = [];
  const own = await openInboxStage({
    receive: (items) => {
      if (refuses && items.some(({ kind }) => kind === 'application.changed')) throw new Error('not now');
      received.push(...items.map((item) => ('change' in item ? item.change.to.stage : item.kind)));
    },
  });
  onTestFinished(() => own.close());
  const id = (await own.submit('Lovelace')) as Id;
  await own.drain();
  const { applications } = own.fixture.operator.through('console').as(STAFF);
  await applications.move({ id });
  await own.submit('Hopper');
  await own.drain();
  await applications.move({ id, stage: 'under_review' });
  await own.drain();
  expect(received).toEqual(['application.submitted', 'application.submitted']);
  refuses = false;
  await own.fixture.pass(60_000, 1_000);
  expect(received.slice(2)).toEqual(['video_interview', 'under_review']);
});
