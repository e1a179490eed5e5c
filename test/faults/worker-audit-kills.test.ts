/** An act and its audit entry are both there after a kill, or both absent. */
import { afterAll, expect, it } from 'vitest';
import type { OperationId } from '../../packages/core/src/domain/ids.js';
import { LEASE_MS } from '../../packages/core/src/features/jobs-sync/sync-state.js';
import { readChangedRows } from '../scenarios/audit/stored-rows.js';
import { prepareCall, RECORDED_READS, WRITING_COMMANDS } from '../scenarios/audit/writing-commands.js';
import { openStage, PICKER } from '../scenarios/operator/stage.js';
import type { AuditOrders } from './audit-child.js';
import { runChild } from './stage/run-child.js';
import { sized } from './stage/size.js';

const KILLS = sized(200, 8);

/** A sync of jobs has many commits, and a rule of its own below. */
const IN_ONE_COMMIT = WRITING_COMMANDS.filter((name) => name !== 'jobs.syncs.run');
/** The longest command calls the repositories about this often. */
const MOST_CALLS = 14;

const stage = await openStage({ sandbox: true });
const host = await stage.host();
afterAll(host.close);

/** Every fourth kill is at the commit, half of these before it. */
function momentOf(kill: number): AuditOrders['killAt'] {
  if (kill % 8 === 0) return { commit: 1, moment: 'before' };
  if (kill % 4 === 0) return { commit: 1, moment: 'after' };
  const call = 1 + Math.floor(Math.random() * MOST_CALLS);
  return { call, moment: Math.random() < 0.5 ? 'before' : 'after' };
}

it(`each act has its entry, when killed ${KILLS} times at random moments of all commands`, async () => {
  const ends = { undone: 0, done: 0, survived: 0 };
  const start = Math.floor(Math.random() * IN_ONE_COMMIT.length);
  // A command may end before its kill. That round does not count.
  for (let kill = 0; ends.undone + ends.done < KILLS; kill += 1) {
    const command = IN_ONE_COMMIT[(start + kill) % IN_ONE_COMMIT.length] ?? '';
    const { input } = await prepareCall(stage, command);
    await renameDatabase(command);
    const before = await readChangedRows(host);
    const known = await countEntries();
    const killAt = momentOf(kill);
    const end = await runChild('audit-child.ts', {
      location: stage.location,
      command,
      input,
      now: stage.clock.now(),
      killAt,
    });
    const entries = (await countEntries()) - known;
    const isChanged = (await readChangedRows(host)) !== before;
    const said = `${command}, killed at ${JSON.stringify(killAt)}`;
    // A read changes no other row. It returns the data after its commit, so the entry is there by then.
    const isRead = RECORDED_READS.includes(command);
    const isDone = isRead ? entries === 1 : isChanged;
    expect([entries, isChanged, said]).toEqual([isDone ? 1 : 0, isDone && !isRead, said]);
    const isAtCommit = 'commit' in killAt;
    if ((isAtCommit && killAt.moment === 'after') || end === 0) expect([isDone, said]).toEqual([true, said]);
    else if (isAtCommit || isRead) expect([isDone, said]).toEqual([false, said]);
    ends[end === 'SIGKILL' ? (isDone ? 'done' : 'undone') : 'survived'] += 1;
  }
  expect(ends.undone).toBeGreaterThan(0);
  expect(ends.done).toBeGreaterThan(0);
  if (KILLS > 8) console.log('kills over all commands:', ends);
}, 1_800_000);

/** An earlier round may have given the database the name that the command gives it. */
async function renameDatabase(command: string): Promise<void> {
  if (!command.startsWith('deployment.')) return;
  const name = command === 'deployment.claim' ? 'staging' : 'production';
  await stage.operator.deployment.rename({ name });
}

const SYNC_KILLS = sized(60, 6);
/** Two commits of changes and three that close, with the begin and the end. */
const SYNC_COMMITS = 7;
/** A run calls the repositories about this often. */
const SYNC_CALLS = 70;
/** A run reads this many jobs, and closes as many others. */
const ROWS = 520;

const syncStage = await openStage();
const company = await openCompany();

/** The first kills are at each kind of commit. */
function momentOfSync(kill: number): AuditOrders['killAt'] {
  const moment = kill % 2 === 0 ? 'before' : 'after';
  if (kill < 2 * SYNC_COMMITS || kill % 3 === 0) {
    return { commit: 1 + ((kill * 3) % SYNC_COMMITS), moment };
  }
  return { call: 1 + Math.floor(Math.random() * SYNC_CALLS), moment };
}

it(`a sync is one act with its counts, whoever ends the run, when killed ${SYNC_KILLS} times`, async () => {
  const { operator, clock, storage } = syncStage;
  const { direct } = storage;
  const allIds = [0, 1].flatMap((half) => rowsOf(half).map(({ id }) => id));
  let told = (await syncStage.events(company.keyId)).length;
  let killedInRun = 0;
  for (let kill = 0; kill < SYNC_KILLS; kill += 1) {
    await clock.advance(1_000);
    const known = (await operator.jobs.syncs.last()).operation;
    const killAt = momentOfSync(kill);
    const input = { source: rowsOf(kill), missingShareAtMost: 1 };
    const { location } = syncStage;
    const end = await runChild('audit-child.ts', {
      location,
      command: 'jobs.syncs.run',
      input,
      now: clock.now(),
      killAt,
    });
    const begun = (await operator.jobs.syncs.last()).operation;
    if (begun === null || begun.id === known?.id) continue;
    const { id } = begun;
    const changed = (await direct.jobs.find(allIds)).filter((job) => job?.syncedIn === id);
    const said = [`${kill}: killed at ${JSON.stringify(killAt)}`, end];
    clock.suspend(LEASE_MS + 1);
    if (begun.state === 'running') {
      killedInRun += 1;
      await endSync(kill, id);
    }
    const state = begun.state !== 'running' ? 'done' : kill % 3 === 0 ? 'stopped' : 'failed';
    expect([(await operator.operations.find({ id }))?.state, ...said]).toEqual([state, ...said]);
    // The run is not ended twice.
    expect(await syncStage.stepper().step()).toBeNull();
    expect(await operator.operations.stop({ id })).toMatchObject({ changed: false });
    const entriesOfRun = await operator.audit.list({ object: { kind: 'operation', id } });
    const items = entriesOfRun.items.filter(({ act }) => act === 'jobs.syncs.run');
    const acts = items.map(({ actor, count }) => [actor.id, count]);
    expect([acts, ...said]).toEqual([changed.length === 0 ? [] : [['killed', changed.length]], ...said]);
    const [job] = (await direct.jobs.find(allIds)).filter((job) => job?.syncedIn === id);
    if (job) {
      const { entries } = await operator.timelines.find({ jobId: job.id });
      const ofRun = entries.filter(
        (entry) => entry.kind === 'command' && entry.auditEntry.id === items[0]?.id,
      );
      expect(ofRun).toMatchObject([{ auditEntry: { act: 'jobs.syncs.run', count: changed.length } }]);
    }
    told = await expectOneEventEach(told);
  }
  expect(killedInRun).toBeGreaterThan(0);
  if (SYNC_KILLS > 6) console.log('kills in a sync:', killedInRun);
}, 1_800_000);

async function openCompany() {
  const companyId = await syncStage.company();
  const keyId = await syncStage.key();
  await syncStage.operator.access.grant({ keyId, companyId });
  return { companyId, keyId };
}

/** Every other run reads other jobs. */
function rowsOf(run: number) {
  return Array.from(
    { length: ROWS },
    (_, number) => ({ ...PICKER, companyId: company.companyId, id: `job_${run % 2}_${number}` }) as const,
  );
}

/** An operator, a worker or the next run ends it. */
async function endSync(kill: number, id: OperationId): Promise<void> {
  const { operator } = syncStage;
  if (kill % 3 === 0) expect(await operator.operations.stop({ id })).toMatchObject({ changed: true });
  else if (kill % 3 === 1) expect(await syncStage.stepper().step()).toMatchObject({ operation: { id } });
  else await operator.jobs.syncs.run(rowsOf(kill), { missingShareAtMost: 1 });
}

/** The events of each job alternate, and tell its state. Returns how many there are. */
async function expectOneEventEach(before: number): Promise<number> {
  const events = await syncStage.events(company.keyId);
  const last = new Map<unknown, string>();
  for (const { type, data } of events) {
    expect(last.get(data.jobId) ?? 'job.closed').not.toBe(type);
    last.set(data.jobId, type);
  }
  const open = [...last].filter(([, type]) => type === 'job.opened').map(([id]) => id);
  expect(open).toHaveLength(
    await syncStage.operator.jobs.count({ companyId: company.companyId, state: 'open' }),
  );
  expect(events.length).toBeGreaterThanOrEqual(before);
  return events.length;
}

async function countEntries(): Promise<number> {
  const { list } = stage.operator.audit;
  // Whoever runs it, the partner signs in.
  const pages = await Promise.all([
    list({ actorId: 'killed', limit: 1_000 }),
    list({ act: 'portal.signIn', limit: 1_000 }),
  ]);
  return pages.reduce((sum, { items }) => sum + items.length, 0);
}
