import type {
  ApplicationId,
  Instant,
  KeyId,
  Lease,
  ResumeFileRepository,
  ResumeFileTask,
} from '@partner-hiring/core/ports';
import { type Expression, sql } from 'kysely';
import { forEachItem, lookUpEach } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { leaseClock, leaseEnd } from '../lease-clock.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { ResumeFileTaskTable } from '../schema.js';
import type { Run } from '../session.js';
import { define, type Param, WRITTEN } from '../statement.js';

export const prepareResumeFiles: Prepare<ResumeFileRepository> = (preparation) => {
  const { queries } = preparation;
  const bindClaims = prepareClaimResumeFiles(preparation);
  const add = define((param: Param<ResumeFileTask>) =>
    queries.insertInto('ph_resume_task').values((eb) => ({
      application_id: param('applicationId'),
      key_id: param('keyId'),
      url: param('url'),
      attempts: param('attempts'),
      due_at: param('dueAt'),
      lease_until: eb.lit(0),
    })),
  );
  const finish = define((param: Param<{ id: ApplicationId; token: string }>) =>
    queries
      .deleteFrom('ph_resume_task')
      .where('application_id', '=', param('id'))
      .where('lease_token', '=', param('token'))
      .returning(WRITTEN),
  );
  const postpone = define((param: Param<ResumeFileTask & { token: string }>) =>
    queries
      .updateTable('ph_resume_task')
      .set((eb) => ({
        url: param('url'),
        attempts: param('attempts'),
        due_at: param('dueAt'),
        lease_token: null,
        lease_until: eb.lit(0),
      }))
      .where('application_id', '=', param('applicationId'))
      .where('lease_token', '=', param('token'))
      .returning(WRITTEN),
  );

  return (session) => ({
    ...bindClaims(session),
    add: (task) => session.write((run) => run.execute(add, task)),
    finish: (id, token) => session.write(async (run) => (await run.count(finish, { id, token })) === 1),
    postpone: (task, token) =>
      session.write(async (run) => (await run.count(postpone, { ...task, token })) === 1),
  });
};

interface TaskItem {
  readonly application_id: ApplicationId;
}

interface TakenRows extends Lease {
  readonly rows: JsonRows<TaskItem>;
  readonly now: Instant;
}

interface DueParams {
  readonly dueBy: Instant;
  readonly now: Instant;
  readonly limit: number;
}

const prepareClaimResumeFiles: Prepare<Pick<ResumeFileRepository, 'claim' | 'claimOfOthers'>> = (
  preparation,
) => {
  const { queries, items, lockFreeRows, now } = preparation;
  const findDue = define((param: Param<DueParams>) =>
    queries
      .selectFrom('ph_resume_task')
      .selectAll()
      .where('due_at', '<=', param('dueBy'))
      .where('lease_until', '<=', leaseClock(preparation, param('now')))
      .orderBy('due_at')
      .orderBy('application_id')
      .limit(param('limit'))
      .$call(lockFreeRows),
  );
  const takeOfOthers = prepareTakeOfOthers(preparation);
  const lease = define((param: Param<TakenRows>) =>
    queries
      .updateTable('ph_resume_task')
      .from(items(param('rows'), { application_id: 'text' }))
      .set({
        lease_token: param('token'),
        lease_until: leaseEnd(preparation, param('now'), param('forMs')),
      })
      .whereRef('ph_resume_task.application_id', '=', 'item.application_id'),
  );

  async function leaseAll(run: Run, due: readonly ResumeFileTaskTable[], { token, forMs }: Lease) {
    const taken = due.map((row) => ({ application_id: row.application_id }));
    await run.batch(lease, taken, { token, forMs, now: now() });
    return due.map(toTask);
  }

  return (session) => ({
    claim: (lease, dueBy, limit) =>
      session.write(async (run) =>
        leaseAll(run, await run.all(findDue, { dueBy, now: now(), limit }), lease),
      ),
    claimOfOthers: (lease, dueBy, limit, keys) =>
      session.write(async (run) => leaseAll(run, await takeOfOthers(run, dueBy, limit, keys), lease)),
  });
};

function toTask(row: ResumeFileTaskTable): ResumeFileTask {
  const { application_id: applicationId, key_id: keyId, url, attempts, due_at: dueAt } = row;
  return { applicationId, keyId, url, attempts, dueAt };
}

interface KeyItem {
  readonly key_id: KeyId;
}

interface TaskItem {
  readonly application_id: ApplicationId;
}

type DueTask = Pick<ResumeFileTaskTable, 'application_id' | 'due_at'>;

/** Finds and locks one due task for each key that is not in `keys`, longest due first. */
type TakeOfOthers = (
  run: Run,
  dueBy: Instant,
  limit: number,
  keys: readonly KeyId[],
) => Promise<readonly ResumeFileTaskTable[]>;

/** This value is a literal, because the planner would have to guess the value of a parameter. */
const ONE = sql.lit(1);

/**
 * The most keys that one call visits. This bounds the call to about a millisecond, because each key costs two
 * index look-ups.
 */
const MOST_KEYS = 100;

function prepareTakeOfOthers(preparation: Preparation): TakeOfOthers {
  const { now } = preparation;
  const walk = defineWalk(preparation);
  const findFirst = defineFindFirst(preparation);
  const lock = defineLock(preparation);

  /** The key after which the next walk starts; empty to start with the first key. */
  let after: KeyId | '' = '';

  return async (run, dueBy, limit, keys) => {
    const walked = (await run.all(walk, { after })).flatMap((row) => row.key_id ?? []);
    after = (walked.length === MOST_KEYS && walked.at(-1)) || '';
    const others = walked.filter((key) => !keys.includes(key)).map((key) => ({ key_id: key }));
    const firsts = await run.batch(findFirst, others, { now: now() });
    const isOther = new Set(others.map(({ key_id }) => key_id));
    const due = firsts.rows.filter((row) => isOther.has(row.key_id) && row.due_at <= dueBy);
    const chosen = new Set(due.sort(longestDueFirst).map(({ application_id }) => application_id));
    const ids = [...chosen].slice(0, limit).map((id) => ({ application_id: id }));
    const { rows } = await run.batch(lock, ids, { now: now() });
    return [...rows].sort(longestDueFirst);
  };
}

/** Returns the keys with tasks, by a loose index scan: each step jumps to the next key. */
function defineWalk({ queries }: Preparation) {
  const nextKey = (after: Expression<string>) =>
    queries
      .selectFrom('ph_resume_task as task')
      .select('task.key_id')
      .where('task.key_id', '>', after as Expression<KeyId>)
      .orderBy('task.key_id')
      .limit(ONE);
  return define((param: Param<{ after: KeyId | '' }>) =>
    queries
      .withRecursive('turn(key_id, number)', (db) =>
        db.selectNoFrom([nextKey(param('after')).as('key_id'), ONE.as('number')]).unionAll(
          db
            .selectFrom('turn')
            .select(({ ref, eb }) => [
              nextKey(ref('turn.key_id') as Expression<string>).as('key_id'),
              eb('turn.number', '+', ONE).as('number'),
            ])
            .where('turn.key_id', 'is not', null)
            .where('turn.number', '<', sql.lit(MOST_KEYS)),
        ),
      )
      .selectFrom('turn')
      .select('key_id')
      .where('key_id', 'is not', null)
      .orderBy('number'),
  );
}

/**
 * Finds the first task of each key, or of the next key if it has none. The condition is `>=` rather than `=`.
 * Otherwise the planner may choose the index by due time, where it would read past all tasks of busy keys.
 */
function defineFindFirst(preparation: Preparation) {
  const { queries } = preparation;
  return define((param: Param<{ rows: JsonRows<KeyItem>; now: Instant }>) =>
    forEachItem(preparation, param('rows'), { key_id: 'text' }, (item) =>
      queries
        .selectFrom('ph_resume_task')
        .select(['key_id', 'application_id', 'due_at'])
        .where('key_id', '>=', item('key_id'))
        .where('lease_until', '<=', leaseClock(preparation, param('now')))
        .orderBy('key_id')
        .orderBy('due_at')
        .orderBy('application_id')
        .limit(ONE),
    ),
  );
}

function defineLock(preparation: Preparation) {
  const { queries, lockFreeRows } = preparation;
  return define((param: Param<{ rows: JsonRows<TaskItem>; now: Instant }>) =>
    lookUpEach(preparation, param('rows'), { application_id: 'text' }, (item) =>
      queries
        .selectFrom('ph_resume_task')
        .selectAll()
        .where('application_id', '=', item('application_id'))
        .where('lease_until', '<=', leaseClock(preparation, param('now')))
        .$call(lockFreeRows),
    ),
  );
}

function longestDueFirst(a: DueTask, b: DueTask): number {
  return a.due_at - b.due_at || (a.application_id < b.application_id ? -1 : 1);
}
