import type { AddPresumed, Instant, PresumedSubmission } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { Batches, Presumptions } from './dialect.js';
import { itemsOf } from './items.js';
import type { Preparation } from './preparation.js';
import { defineTake } from './repositories/feed/take-stamps.js';
import { defineFindForKeys, fromJobForKey } from './repositories/jobs/jobs-for-keys.js';
import { fromKeyOfSecret } from './repositories/keys/secret-rows.js';
import { defineFindByHashes } from './repositories/keys/secrets-in-use.js';
import {
  type CountedRow,
  defineCharge,
  defineRead,
  toWindowCount,
} from './repositories/rate-windows/window-counts.js';
import { defineAdding } from './repositories/submissions/add-submissions.js';
import { fromSubmission } from './repositories/submissions/submission-rows.js';
import type { Session } from './session.js';
import { define, type Param, type Statement } from './statement.js';
import { together } from './together.js';

/** What is presumed, as the conditions take it. */
interface Presumed {
  /** Rows as JSON. */
  readonly caller: string;
  readonly found: string;
  readonly head: string;
  /** What must be left of the guard, and what the count must keep to. */
  readonly guardLimit: number;
  readonly limit: number;
}

interface Answer {
  /** The counted row, as JSON. */
  readonly counted: string;
}

/** The column of a secret that changes without a meaning to those who may use it. */
const LAST_USED = 'last_used_at';

/** Compiles the statement that adds a presumed submission; null where the database takes no such statement. */
export function preparePresumedSubmission(
  preparation: Preparation,
): ((session: Session) => AddPresumed) | null {
  const { presumptions, now } = preparation;
  if (presumptions === null) return null;
  const add = defineAdd(preparation, presumptions);

  return (session) => async (presumed) => {
    const { record, application, task } = fromSubmission(presumed.submission);
    const values = valuesOf(presumed, { record, application }, now());
    try {
      const row = await session.writeAlone((run) =>
        task === null
          ? run.first(add.withoutTask, values)
          : run.first(add.withTask, { ...values, task: { item: task, values: {} } }),
      );
      if (row === null) throw new Error('The storage must tell what it counted.');
      return toWindowCount(JSON.parse(row.counted) as CountedRow);
    } catch (error) {
      if (presumptions.isFailure(error)) return null;
      throw error;
    }
  };
}

/** The statements of the ordinary way, for one item each, made one: with a résumé to fetch, and without. */
function defineAdd(ofStorage: Preparation, presumptions: Presumptions) {
  const batches: Batches = { kind: 'one_by_one' };
  const preparation = { ...ofStorage, batches, items: itemsOf(batches) };
  const { addRecords, addApplications, addTasks } = defineAdding(preparation);
  const parts = {
    caller: defineFindByHashes(preparation),
    found: defineFindForKeys(preparation),
    guard: defineRead(preparation),
    charge: defineCharge(preparation),
    head: defineTake(preparation),
    record: addRecords,
    application: addApplications,
  };
  const conditions = (written: readonly string[]) => defineConditions(preparation, presumptions, written);
  return {
    withoutTask: together(parts, conditions(['record', 'application'])),
    withTask: together({ ...parts, task: addTasks }, conditions(['record', 'application', 'task'])),
  };
}

function valuesOf(
  { caller, found, guard, bucket }: PresumedSubmission,
  { record, application }: Pick<ReturnType<typeof fromSubmission>, 'record' | 'application'>,
  now: Instant,
) {
  const { key_id: keyId, changed_at: stamp } = application;
  const { [LAST_USED]: _, ...callerRow } = fromKeyOfSecret(caller);
  return {
    caller: { item: { hash: callerRow.hash }, values: {} },
    found: { item: { key_id: keyId, job_id: found.job.id }, values: {} },
    guard: { item: { bucket_id: guard.id }, values: { now } },
    charge: { item: { bucket_id: bucket.id, count: 1 }, values: { now } },
    // Taken from then on, it is this stamp, or a later one if the head is there already.
    head: { item: { key_id: keyId, count: 1, for_events: 0 }, values: { now: stamp } },
    record: { item: record, values: {} },
    application: { item: application, values: {} },
    main: {
      caller: JSON.stringify(callerRow),
      found: JSON.stringify(fromJobForKey(found, keyId)),
      head: JSON.stringify({ key_id: keyId, at: stamp }),
      guardLimit: guard.limit,
      limit: bucket.limit,
    },
  };
}

/**
 * What must hold, in the order of the ordinary way: what is looked up, then the stamp, then what is counted, so that
 * who waits for a feed's head holds nothing, then the rows, which the unique constraints let in.
 */
function defineConditions(
  { queries }: Preparation,
  { waits, all, isRow }: Presumptions,
  written: readonly string[],
): Statement<Presumed, Answer> {
  return define((param: Param<Presumed>) => {
    const held = all([
      waits,
      isRow('caller', param('caller'), [LAST_USED]),
      isRow('found', param('found')),
      isRow('head', param('head')),
      sql`(select count from guard) < ${param('guardLimit')}`,
      sql`(select count from charge) <= ${param('limit')}`,
      ...written.map((part) => sql<boolean>`exists (select from ${sql.id(part)})`),
    ]);
    const query = sql<Answer>`select ${held} as held, (select row_to_json(charge) from charge) as counted`;
    return { compile: () => query.compile(queries) };
  });
}
