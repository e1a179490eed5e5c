/** Each act writes one audit entry, in its own commit. */
import { afterAll, describe, expect, it } from 'vitest';
import { OperatorError } from '../../../packages/core/src/errors.js';
import type { ListedAuditEntry } from '../../../packages/core/src/features/audit/audit-entries.js';
import type { OperatorCommands } from '../../../packages/core/src/operator/operator.js';
import { commandsOf, createSetting, INPUTS, outcomeOf } from '../operator/every-command.js';
import { openStage, PICKER } from '../operator/stage.js';
import { readChangedRows } from './stored-rows.js';
import { prepareCall, RECORDED_READS, WRITING_COMMANDS } from './writing-commands.js';

const stage = await openStage({ sandbox: true });
const { operator } = stage;
const host = await stage.host();
afterAll(host.close);

const ADA = { id: 'user_42', name: 'Ada', reason: 'ticket 815' };

/** The hand-over of inbox items is no act of an operator. */
const UNAUDITED = ['inbox.take', 'inbox.acknowledge'];

async function entriesSince(known: number): Promise<readonly ListedAuditEntry[]> {
  const entries: ListedAuditEntry[] = [];
  for await (const entry of operator.audit.each({ limit: 1_000 })) entries.push(entry);
  return entries.slice(0, entries.length - known);
}

/** Whoever runs the commands of a portal, the partner signs in. */
function actorOf(name: string): object {
  if (name !== 'portal.signIn') return ADA;
  const reason = expect.stringMatching(/^Signed in by a link of /);
  return { id: expect.stringMatching(/^partner:ptn_/), reason, door: 'portal' };
}

/** An act on many objects is recorded as the act on one, so that the timeline of each names it. */
function actOf(name: string): string {
  return name === 'bulk.start' ? 'applications.decide' : name;
}

async function countEntries(): Promise<number> {
  return (await entriesSince(0)).length;
}

async function call(commands: OperatorCommands, name: string, input: unknown): Promise<unknown> {
  const command = commandsOf(commands).get(name);
  if (command === undefined) throw new Error(`Unknown command ${name}.`);
  const outcome = await outcomeOf(command, input);
  if (outcome.kind === 'threw') throw outcome.error;
  return outcome.answer;
}

describe.each(WRITING_COMMANDS)('%s', (name) => {
  it('writes one entry with its actor and object, and none if it changes nothing more', async () => {
    const { input, object } = await prepareCall(stage, name);
    const known = await countEntries();
    const before = await readChangedRows(host);
    await call(operator.as(ADA), name, input);
    const isRead = RECORDED_READS.includes(name);
    expect((await readChangedRows(host)) === before).toBe(isRead);
    const [entry, ...others] = await entriesSince(known);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ actor: actorOf(name), act: actOf(name), at: expect.any(Number) });
    if (object !== null) expect(entry?.objects[0]).toEqual(object);
    for (const each of entry?.objects ?? []) {
      const { items: entries } = await operator.audit.list({ object: each, limit: 1 });
      expect(entries).toEqual([entry]);
    }

    const settled = await readChangedRows(host);
    const again = commandsOf(operator.as(ADA)).get(name);
    if (again === undefined) throw new Error(`Unknown command ${name}.`);
    await outcomeOf(again, input);
    const isChanged = (await readChangedRows(host)) !== settled;
    // A sync also stores that it has run.
    const isRepeated = (isChanged && name !== 'jobs.syncs.run') || isRead;
    expect(await countEntries()).toBe(known + (isRepeated ? 2 : 1));
  });

  // The host's transaction does not offer a command of many commits.
  if (!commandsOf(operator.within(host.tx)).has(name)) return;

  it("is undone together with its entry by a rollback of the host's transaction", async () => {
    const { input } = await prepareCall(stage, name);
    const known = await countEntries();
    const before = await readChangedRows(host);
    const other = await stage.host();
    for (const commands of [operator.within(other.tx).as(ADA), operator.as(ADA).within(other.tx)]) {
      await other.run('begin');
      try {
        await call(commands, name, input);
        const { items: entries } = await commands.audit.list({ limit: 1 });
        expect(entries).toMatchObject([{ act: actOf(name), actor: actorOf(name) }]);
      } finally {
        await other.run('rollback');
      }
      expect(await countEntries()).toBe(known);
      expect(await readChangedRows(host)).toBe(before);
    }
    await other.close();
  });
});

it('commands that only read write no entry, and neither do those that hand over inbox items', async () => {
  const setting = await createSetting(stage);
  const others = Object.keys(INPUTS).filter((name) => !WRITING_COMMANDS.includes(name));
  expect(others.length + WRITING_COMMANDS.length).toBe(commandsOf(operator).size);
  const known = await countEntries();
  for (const name of others) {
    const before = await readChangedRows(host);
    await call(operator, name, INPUTS[name]?.(setting));
    if (!UNAUDITED.includes(name)) expect(await readChangedRows(host), name).toBe(before);
  }
  expect(await countEntries()).toBe(known);
});

it('refused commands and dry runs write no entry', async () => {
  const { keyId, jobId, applicationId, companyId, eventId } = await createSetting(stage);
  const known = await countEntries();
  const refused = [
    () => operator.jobs.reopen({ id: 'job_none', from: 'archived' }),
    () => operator.jobs.close([{ id: jobId }, { id: 'job_none' }]),
    () => operator.jobs.publish({ ...PICKER, companyId, id: jobId }),
    () => operator.applications.move({ id: applicationId, stage: 'nowhere' as 'final_review' }),
    () => operator.keys.revoke({ id: keyId, secretLastFour: '????' }),
  ];
  for (const refuse of refused) await expect(refuse()).rejects.toBeInstanceOf(OperatorError);
  const [event] = await stage.storage.direct.events.find(keyId, [eventId as 'evt_1']);
  await stage.storage.direct.endpoints.advanceWatermark(keyId, event?.at ?? 0);
  await operator.endpoints.pause({ keyId });
  const paused = await countEntries();
  const dryRun = true;
  const eventIds = [eventId as 'evt_1'];
  expect(await operator.deliveries.resend({ keyId, eventIds, dryRun })).toMatchObject({ count: 1 });
  expect(await operator.deliveries.resend({ keyId, since: 0, dryRun })).toMatchObject({ count: 1 });
  await operator.deliveries.resend({ keyId, only: 'undelivered', dryRun });
  await operator.endpoints.resume({ keyId, dryRun });
  await operator.endpoints.resume({ keyId, retryNow: true, dryRun });
  await operator.candidates.eraseMany({ companyId, dryRun });
  expect([paused, await countEntries()]).toEqual([known + 1, known + 1]);
});

it('a command in the transaction of the host is recorded with it', async () => {
  const { jobId } = await createSetting(stage);
  const other = await stage.host();
  await other.run('begin');
  await operator.within(other.tx).as(ADA).jobs.close({ id: jobId });
  await other.run('commit');
  await other.close();
  const { items: entries } = await operator.audit.list({ object: { kind: 'job', id: jobId } });
  expect(entries).toMatchObject([
    { act: 'jobs.close', actor: ADA, before: { state: 'open' }, after: { state: 'closed' } },
    { act: 'jobs.publish', actor: { id: 'host', name: null, reason: null, door: 'library' }, before: null },
  ]);
});

it('a command on many rows writes one entry, with its filter and count', async () => {
  const { companyId } = await createSetting(stage);
  const known = await countEntries();
  const jobs = await operator.jobs.publish(Array.from({ length: 30 }, () => ({ ...PICKER, companyId })));
  await operator.jobs.close({ id: jobs[0]?.id ?? 'job_none' });
  await operator.as(ADA).jobs.close(jobs.map(({ id }) => ({ id })));
  const entries = await entriesSince(known);
  expect(entries.map(({ act, count, filter }) => [act, count, filter])).toEqual([
    ['jobs.close', 29, { jobs: 30 }],
    ['jobs.close', null, null],
    ['jobs.publish', 30, null],
  ]);
  const last = await operator.audit.list({ object: { kind: 'job', id: jobs.at(-1)?.id ?? '' } });
  expect(last.items.map(({ act }) => act)).toEqual(['jobs.close', 'jobs.publish']);
});
