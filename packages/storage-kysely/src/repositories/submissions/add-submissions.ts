import type { AcceptedSubmission } from '@partner-hiring/core/ports';
import { defineInsert } from '../../insert.js';
import type { Preparation } from '../../preparation.js';
import type { Run } from '../../session.js';
import { WRITTEN } from '../../statement.js';
import { APPLICATION_COLUMNS } from '../applications/application-rows.js';
import { fromSubmission, IDEMPOTENCY_COLUMNS, TASK_COLUMNS } from './submission-rows.js';

/**
 * The three statements that a submission is added with. Those whose rows are counted say `returning`, but for a database
 * inside the process: its driver answers a row for each that was written, which costs less.
 */
export function defineAdding(preparation: Preparation) {
  const isServer = preparation.batches.kind === 'combineStatements';
  const addRecords = defineInsert(preparation, {
    table: 'ph_idempotency',
    columns: IDEMPOTENCY_COLUMNS,
    finish: (insert) =>
      insert
        .onConflict((conflict) =>
          conflict
            .columns(['key_id', 'idempotency_key'])
            .doUpdateSet((eb) => ({
              fingerprint: eb.ref('excluded.fingerprint'),
              json_fingerprint: eb.ref('excluded.json_fingerprint'),
              application_id: eb.ref('excluded.application_id'),
              company_id: eb.ref('excluded.company_id'),
              reply_status: eb.ref('excluded.reply_status'),
              reply_body: eb.ref('excluded.reply_body'),
              created_at: eb.ref('excluded.created_at'),
              expires_at: eb.ref('excluded.expires_at'),
            }))
            .whereRef('ph_idempotency.expires_at', '<=', 'excluded.created_at'),
        )
        .$if(isServer, (query) => query.returning(WRITTEN)),
  });
  const addApplications = defineInsert(preparation, {
    table: 'ph_application',
    columns: APPLICATION_COLUMNS,
    finish: (insert) =>
      insert
        .onConflict((conflict) => conflict.doNothing())
        .$if(isServer, (query) => query.returning(WRITTEN)),
  });
  const addTasks = defineInsert(preparation, { table: 'ph_resume_task', columns: TASK_COLUMNS });
  return { addRecords, addApplications, addTasks };
}

/** Undoes what was added in a transaction of its own. Inside somebody else's, they give theirs up. */
export class Conflict extends Error {}

/** What work answers, or `conflict` if it throws one. */
export async function orConflict<T>(work: () => Promise<T>): Promise<T | 'conflict'> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Conflict) return 'conflict';
    throw error;
  }
}

/** Adds submissions. @throws Conflict if a key or a source id is bound. */
export async function addAll(
  run: Run,
  { addRecords, addApplications, addTasks }: ReturnType<typeof defineAdding>,
  submissions: readonly AcceptedSubmission[],
): Promise<void> {
  const { records, applications, tasks } = toRows(submissions);
  // On their way together. A task of an application that was not added is undone with the rest.
  const [bound, added] = await Promise.all([
    run.batch(addRecords, records, {}),
    run.batch(addApplications, applications, {}),
    run.batch(addTasks, tasks, {}),
  ]);
  if (bound.rows.length < records.length || added.rows.length < applications.length) throw new Conflict();
}

/** The rows of submissions, by their tables. */
export function toRows(submissions: readonly AcceptedSubmission[]) {
  const rows = submissions.map(fromSubmission);
  return {
    records: rows.map(({ record }) => record),
    applications: rows.map(({ application }) => application),
    tasks: rows.flatMap(({ task }) => (task === null ? [] : [task])),
  };
}
