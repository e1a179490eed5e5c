import type { ApplicationId, Instant, KeyId, Repositories } from '@partner-hiring/core/ports';
import { type Expression, sql } from 'kysely';
import { columnParams, defineInsert, itemsWith, selectItems } from '../../batch.js';
import type { JsonRows } from '../../dialect.js';
import { walkKeys } from '../../index-walk.js';
import { leaseClock } from '../../lease-clock.js';
import { prepareLease, prepareTakeDue } from '../../leased-queue.js';
import { defineEach, defineLookUps, type Item, ONE, prepareFindByIds } from '../../look-ups.js';
import type { Preparation, Prepare } from '../../preparation.js';
import type { Run } from '../../session.js';
import { define, type Param, WRITTEN } from '../../statement.js';
import type { SubmissionPart } from '../../submissions/submission-repository.js';
import { maySend, type SenderParams, senderParams } from '../../system/deployment.js';
import { type DuePart, laterOf, MOST_LEASED } from '../../system/work.js';
import type { Row } from '../../table.js';
import { RESUME_TASKS } from './table.js';

const NEW_TASKS = RESUME_TASKS.omit('lease_token', 'lease_until');

const POSTPONED = RESUME_TASKS.pick('url', 'attempts', 'due_at');

export const TASK_OF_SUBMISSION: SubmissionPart = {
  name: 'task',
  define: (preparation) => defineInsert(preparation, { table: NEW_TASKS }),
  toRows: ({ resume }) => (resume === null ? [] : [NEW_TASKS.toRow(resume)]),
};

type TaskRow = Row<typeof RESUME_TASKS>;

export const prepareResumeFiles: Prepare<Repositories['resumeFiles']> = (preparation) => {
  const { queries } = preparation;
  const add = define((param: Param<Row<typeof NEW_TASKS>>) =>
    queries
      .insertInto('ph_resume_task')
      .values((eb) => ({ ...columnParams(NEW_TASKS, param), lease_until: eb.lit(0) })),
  );
  const finish = define((param: Param<{ id: ApplicationId; token: string }>) =>
    queries
      .deleteFrom('ph_resume_task')
      .where('application_id', '=', param('id'))
      .where('lease_token', '=', param('token'))
      .returning(WRITTEN),
  );
  const postpone = define((param: Param<Row<typeof NEW_TASKS> & { token: string }>) =>
    queries
      .updateTable('ph_resume_task')
      .set((eb) => ({ ...columnParams(POSTPONED, param), lease_token: null, lease_until: eb.lit(0) }))
      .where('application_id', '=', param('application_id'))
      .where('lease_token', '=', param('token'))
      .returning(WRITTEN),
  );

  return {
    ...prepareClaimResumeFiles(preparation),
    add: (session, task) => session.write((run) => run.execute(add, NEW_TASKS.toRow(task))),
    finish: (session, id, token) =>
      session.write(async (run) => (await run.count(finish, { id, token })) === 1),
    postpone: (session, task, token) =>
      session.write(async (run) => (await run.count(postpone, { ...NEW_TASKS.toRow(task), token })) === 1),
  };
};

/** What an erasure finds and cancels. */
export const prepareDownloadsToErase: Prepare<
  Pick<Repositories['candidates'], 'findResumeFiles' | 'cancelResumeFiles'>
> = (preparation) => {
  const cancel = define((param: Param<{ rows: JsonRows<{ id: ApplicationId }> }>) =>
    preparation.queries
      .deleteFrom('ph_resume_task')
      .where('application_id', 'in', selectItems(preparation, param('rows'), 'id'))
      .returning(['application_id', 'lease_until']),
  );
  return {
    findResumeFiles: prepareFindByIds(preparation, RESUME_TASKS, 'application_id'),
    cancelResumeFiles: (session, ids) =>
      session.write(async (run) => {
        const { rows } = await run.batch(cancel, itemsWith('id', [...new Set(ids)].sort()), {});
        return rows.map((row) => ({ applicationId: row.application_id, leaseUntil: row.lease_until }));
      }),
  };
};

const QUEUE = { table: RESUME_TASKS, id: 'application_id' } as const;

const prepareClaimResumeFiles: Prepare<Pick<Repositories['resumeFiles'], 'claim' | 'claimOfOthers'>> = (
  preparation,
) => {
  const leaseAll = prepareLease(preparation, QUEUE);
  const takeDue = prepareTakeDue(preparation, QUEUE, leaseAll, true);
  const takeOfOthers = prepareTakeOfOthers(preparation);

  return {
    claim: (session, lease, dueBy, limit) =>
      session.write(async (run) => (await takeDue(run, lease, dueBy, limit)).map(RESUME_TASKS.toValue)),
    claimOfOthers: (session, lease, dueBy, limit, keys) =>
      session.write(async (run) => {
        const due = await takeOfOthers(run, { dueBy, limit, keys, deployment: lease.deployment });
        await leaseAll(run, due, lease);
        return due.map(RESUME_TASKS.toValue);
      }),
  };
};

type DueTask = Pick<TaskRow, 'application_id' | 'due_at'>;

interface AskedOfOthers {
  readonly dueBy: Instant;
  readonly limit: number;
  readonly keys: readonly KeyId[];
  readonly deployment: string | undefined;
}

/**
 * The most keys that one call visits. This bounds the call to about a millisecond, because each key costs two
 * index look-ups.
 */
const MOST_KEYS = 100;

/** Finds and locks one due task for each key that is not in `keys`, longest due first. */
function prepareTakeOfOthers(preparation: Preparation) {
  const { now } = preparation;
  const walk = defineWalk(preparation);
  const findFirst = defineFindFirst(preparation);
  const lock = defineLock(preparation);

  /** The key after which the next walk starts; empty to start with the first key. */
  let after: KeyId | '' = '';

  return async (run: Run, { dueBy, limit, keys, deployment }: AskedOfOthers): Promise<readonly TaskRow[]> => {
    const walked = (await run.all(walk, { after })).map((row) => row.key_id);
    after = (walked.length === MOST_KEYS && walked.at(-1)) || '';
    const others = walked.filter((key) => !keys.includes(key)).map((key) => ({ key_id: key }));
    const firsts = await run.batch(findFirst, others, { now: now() });
    const isOther = new Set(others.map(({ key_id }) => key_id));
    const due = firsts.rows.filter((row) => isOther.has(row.key_id) && row.due_at <= dueBy);
    const chosen = new Set(due.sort(longestDueFirst).map(({ application_id }) => application_id));
    const ids = [...chosen].slice(0, limit).map((id) => ({ application_id: id }));
    const { rows } = await run.batch(lock, ids, { now: now(), ...senderParams(preparation, deployment) });
    return [...rows].sort(longestDueFirst);
  };
}

function defineWalk(preparation: Preparation) {
  const firstBehind = (key: Expression<KeyId>) =>
    preparation.queries
      .selectFrom('ph_resume_task as task')
      .select('task.key_id')
      .where('task.key_id', '>', key)
      .orderBy('task.key_id')
      .limit(ONE);
  return define((param: Param<{ after: KeyId | '' }>) =>
    walkKeys(preparation, firstBehind, { after: param('after'), most: MOST_KEYS }),
  );
}

/**
 * Finds the first task of each key, or of the next key if it has none. The condition is `>=` rather than `=`.
 * Otherwise the planner may choose the index by due time, where it would read past all tasks of busy keys.
 */
function defineFindFirst(preparation: Preparation) {
  const { queries } = preparation;
  return defineEach(
    preparation,
    { key_id: 'text' },
    (item: Item<{ key_id: KeyId }>, param: Param<{ now: Instant }>) =>
      queries
        .selectFrom('ph_resume_task')
        .select(['key_id', 'application_id', 'due_at'])
        .where('key_id', '>=', item('key_id'))
        .where('lease_until', '<=', leaseClock(preparation, param('now')))
        .orderBy('key_id')
        .orderBy('due_at')
        .orderBy('application_id')
        .limit(ONE),
  );
}

function defineLock(preparation: Preparation) {
  const { queries, lockFreeRows } = preparation;
  type Asked = Item<{ application_id: ApplicationId }>;
  return defineLookUps(
    preparation,
    { application_id: 'text' },
    (item: Asked, param: Param<SenderParams & { now: Instant }>) =>
      queries
        .selectFrom('ph_resume_task')
        .selectAll()
        .where('application_id', '=', item('application_id'))
        .where('lease_until', '<=', leaseClock(preparation, param('now')))
        .where(maySend(preparation, param as Param<SenderParams>), '=', sql.lit(1))
        .$call(lockFreeRows),
  );
}

function longestDueFirst(a: DueTask, b: DueTask): number {
  return a.due_at - b.due_at || (a.application_id < b.application_id ? -1 : 1);
}

/** When a file can be downloaded or removed that no worker has leased. */
export const dueFiles: DuePart = (preparation) => [
  firstFree(preparation, 'ph_resume_task').as('resume_files'),
  firstFree(preparation, 'ph_resume_removal').as('resume_removals'),
];

function firstFree({ queries }: Preparation, table: 'ph_resume_task' | 'ph_resume_removal') {
  const first = queries
    .selectFrom(table)
    .select(['due_at', 'lease_until'])
    .orderBy('due_at')
    .orderBy('application_id')
    .limit(MOST_LEASED);
  return queries
    .selectFrom(first.as('task'))
    .select(sql<Instant | null>`min(${laterOf('task.due_at', 'task.lease_until')})`.as('at'));
}

/** When the first download is due. */
export const firstDownload = ({ queries }: Preparation) =>
  queries
    .selectFrom('ph_resume_task')
    .select('due_at')
    .orderBy('due_at')
    .orderBy('application_id')
    .limit(ONE);
