/** An act and its audit entry are both there after a kill, or both absent. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { afterAll, expect, it } from 'vitest';
import { readChangedRows } from '../scenarios/audit/stored-rows.js';
import { prepareCall, RECORDED_READS, WRITING_COMMANDS } from '../scenarios/audit/writing-commands.js';
import { openStage } from '../scenarios/operator/stage.js';
import type { AuditOrders } from './audit-child.js';
import { sized } from './stage/size.js';

const KILLS = sized(200, 8);

/** A sync of jobs has many commits. Whoever ends a killed run records its act, with the counts. */
const IN_ONE_COMMIT = WRITING_COMMANDS.filter((name) => name !== 'jobs.sync');
/** The longest command calls the repositories about this often. */
const MOST_CALLS = 14;

const stage = await openStage({ sandbox: true });
const host = await stage.host();
afterAll(host.close);

/** Every fourth kill is at the commit, half of these before it. */
function momentOf(kill: number): AuditOrders['killAt'] {
  if (kill % 8 === 0) return 'before_commit';
  if (kill % 4 === 0) return 'after_commit';
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
    const before = await readChangedRows(host);
    const known = await countEntries();
    const killAt = momentOf(kill);
    const end = await runChild({
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
    if (killAt === 'after_commit' || end === 0) expect([isDone, said]).toEqual([true, said]);
    else if (killAt === 'before_commit' || isRead) expect([isDone, said]).toEqual([false, said]);
    ends[end === 'SIGKILL' ? (isDone ? 'done' : 'undone') : 'survived'] += 1;
  }
  expect(ends.undone).toBeGreaterThan(0);
  expect(ends.done).toBeGreaterThan(0);
  if (KILLS > 8) console.log('kills over all commands:', ends);
}, 1_800_000);

async function countEntries(): Promise<number> {
  const { items: entries } = await stage.operator.audit.list({ actorId: 'killed', limit: 1_000 });
  return entries.length;
}

/** Resolves with the signal or the code that ended the process. */
function runChild(orders: AuditOrders): Promise<NodeJS.Signals | number | null> {
  const child = fork(fileURLToPath(new URL('./audit-child.ts', import.meta.url)), {
    execArgv: [...RUN_BUNDLED],
  });
  child.once('message', () => void child.send(orders));
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
}
