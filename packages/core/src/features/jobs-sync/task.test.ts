import { createFakeClock } from '@partner-hiring/test-support/clock';
import { expect, it } from 'vitest';
import { HOST_ACTOR } from '../../domain/audit.js';
import type { Operation, OperationState } from '../../domain/operation.js';
import type { SyncCounts } from '../../domain/sync-counts.js';
import type { LogFields, Logger } from '../../ports/telemetry.js';
import { createJobSyncTask } from './task.js';

const NOTHING: SyncCounts = {
  added: 0,
  updated: 0,
  reopened: 0,
  closed: 0,
  unchanged: 3,
  refused: 0,
  missing: 0,
  open: 3,
  highPay: { jobs: 0, ids: [] },
};

function ended(state: OperationState, sync: SyncCounts): Operation {
  return {
    startedBy: HOST_ACTOR,
    id: 'op_1',
    plan: { kind: 'sync_jobs', missing: 'close' },
    state,
    lastError: null,
    counts: { done: 0, skipped: 0, total: null },
    failed: null,
    sync,
    createdAt: 0,
    updatedAt: 0,
    finishedAt: 0,
  };
}

/** Returns the level and the fields of each line that a run logs. */
async function linesOf(operation: Operation): Promise<readonly (readonly [level: string, LogFields])[]> {
  const lines: [string, LogFields][] = [];
  const at = (level: string) => (fields: LogFields) => void lines.push([level, fields]);
  const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const runner = { dueIn: async () => 0, run: async () => operation };
  const task = createJobSyncTask(runner, createFakeClock(), logger);
  await task.poll();
  await task.idle();
  return lines;
}

it.each(['added', 'updated', 'reopened', 'closed'] as const)(
  'logs the counts of a run with a job %s at the level info',
  async (change) => {
    const counts = { ...NOTHING, [change]: 1 };
    expect(await linesOf(ended('done', counts))).toEqual([['info', { operationId: 'op_1', counts }]]);
  },
);

it('logs a run that changed nothing at the level debug', async () => {
  expect(await linesOf(ended('done', NOTHING))).toMatchObject([['debug', {}]]);
});

it('warns once of a run that has read pay which is probably a salary', async () => {
  const highPay = { jobs: 4, ids: ['job_1', 'job_2', 'job_3'] } as const;
  const lines = await linesOf(ended('done', { ...NOTHING, highPay }));
  expect(lines).toEqual([
    ['debug', { operationId: 'op_1', counts: { ...NOTHING, highPay } }],
    ['warn', { operationId: 'op_1', ...highPay }],
  ]);
});

it('warns of a run that is held', async () => {
  expect(await linesOf(ended('held', { ...NOTHING, added: 1 }))).toMatchObject([['warn', {}]]);
});
