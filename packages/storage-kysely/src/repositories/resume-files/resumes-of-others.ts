import type { ApplicationId, Instant, KeyId } from '@partner-hiring/core/ports';
import { type Expression, sql } from 'kysely';
import type { JsonRows } from '../../dialect.js';
import { forEachItem, lookUpEach } from '../../each-item.js';
import { leaseClock } from '../../lease-clock.js';
import type { Preparation } from '../../preparation.js';
import type { ResumeFileTaskTable } from '../../schema.js';
import type { Run } from '../../session.js';
import { define, type Param } from '../../statement.js';

interface KeyItem {
  readonly key_id: KeyId;
}

interface TaskItem {
  readonly application_id: ApplicationId;
}

type Turn = Pick<ResumeFileTaskTable, 'application_id' | 'due_at'>;

/** Finds and locks one due task of each key that is not among these, the longest due first. */
type TakeOfOthers = (
  run: Run,
  dueBy: Instant,
  limit: number,
  keys: readonly KeyId[],
) => Promise<readonly ResumeFileTaskTable[]>;

/** One row, told to the planner: a parameter it would have to guess. */
const ONE = sql.lit(1);

/** Each is two probes of an index: a millisecond for all. Platforms have fewer keys with résumés that wait. */
const MOST_KEYS = 100;

/** Compiles what passes over all but the first task of a key, rather than read all that is due. */
export function prepareTakeOfOthers(preparation: Preparation): TakeOfOthers {
  const { now } = preparation;
  const walk = defineWalk(preparation);
  const findFirst = defineFindFirst(preparation);
  const lock = defineLock(preparation);

  /** Where the next walk begins: at the start, unless there were more keys. */
  let after: KeyId | '' = '';

  return async (run, dueBy, limit, keys) => {
    const walked = (await run.all(walk, { after })).flatMap((row) => row.key_id ?? []);
    after = (walked.length === MOST_KEYS && walked.at(-1)) || '';
    const others = walked.filter((key) => !keys.includes(key)).map((key) => ({ key_id: key }));
    const firsts = await run.batch(findFirst, others, { now: now() });
    const isOther = new Set(others.map(({ key_id }) => key_id));
    const due = firsts.rows.filter((row) => isOther.has(row.key_id) && row.due_at <= dueBy);
    const chosen = new Set(due.sort(byTurn).map(({ application_id }) => application_id));
    const ids = [...chosen].slice(0, limit).map((id) => ({ application_id: id }));
    const { rows } = await run.batch(lock, ids, { now: now() });
    return [...rows].sort(byTurn);
  };
}

/** The keys with résumés that wait, in their order. */
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
 * The first task of each key. Looked for from the key on, in the order of one index: for a key that has most of what is
 * due, a planner would take the other, and pass over all of that to come to a key that has little. What comes back may
 * be the next key's.
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

/** Tasks that nobody holds, locked. */
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

/** The longest due first. */
function byTurn(a: Turn, b: Turn): number {
  return a.due_at - b.due_at || (a.application_id < b.application_id ? -1 : 1);
}
