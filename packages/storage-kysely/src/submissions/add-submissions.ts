import type { AcceptedSubmission, SubmissionRepository } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineInsert } from '../batch.js';
import { combineStatements } from '../combine-statements.js';
import type { Assertions, JsonRows } from '../dialect.js';
import type { Preparation, Prepare } from '../preparation.js';
import { APPLICATION_COLUMNS } from '../repositories/application-rows.js';
import { type ChargeItem, type CountedRow, countsOf, defineCharge } from '../repositories/rate-windows.js';
import type { Run, WriteLast } from '../session.js';
import { define, type Param, type Statement, WRITTEN } from '../statement.js';
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
class Conflict extends Error {}

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
function toRows(submissions: readonly AcceptedSubmission[]) {
  const rows = submissions.map(fromSubmission);
  return {
    records: rows.map(({ record }) => record),
    applications: rows.map(({ application }) => application),
    tasks: rows.flatMap(({ task }) => (task === null ? [] : [task])),
  };
}

type Last = Pick<SubmissionRepository, 'chargeAndAdd'>;

/** Counting submissions and adding them, if all of them can be: in one statement where a commit is to travel behind it. */
export const prepareChargeAndAdd: Prepare<Last> = (preparation) => {
  const bindStepByStep = prepareStepByStep(preparation);
  if (preparation.assertions === null) return bindStepByStep;
  const bindCombined = prepareCombined(preparation, preparation.assertions);
  return (session) =>
    session.writeLast === null ? bindStepByStep(session) : bindCombined(session.writeLast);
};

/** Looks at what each statement did before the next one. */
const prepareStepByStep: Prepare<Last> = (preparation) => {
  const charge = defineCharge(preparation);
  const adding = defineAdding(preparation);
  return (session) => ({
    chargeAndAdd: (charges, submissions) =>
      orConflict(() =>
        session.write(async (run) => {
          const { rows } = await run.batch(charge, charges.map(toItem), { now: preparation.now() });
          const counts = countsOf(
            charges.map(({ bucketId }) => bucketId),
            rows,
          );
          if (counts.some(({ count }, index) => count > (charges[index]?.limit ?? 0))) throw new Conflict();
          await addAll(run, adding, submissions);
          return counts;
        }),
      ),
  });
};

interface Limit {
  readonly bucket_id: string;
  readonly most: number;
}

interface Answer {
  /** The counted rows, as JSON. */
  readonly counted: string;
}

/** What must hold of the statement's parts, and what it is told by. */
interface Expected {
  readonly limits: JsonRows<Limit>;
  readonly records: number;
  readonly applications: number;
}

/** One statement, which fails if not all can be done: the commit may travel behind it. */
function prepareCombined(preparation: Preparation, assertions: Assertions): (writeLast: WriteLast) => Last {
  const { addRecords, addApplications, addTasks } = defineAdding(preparation);
  const parts = {
    charge: defineCharge(preparation),
    record: addRecords,
    application: addApplications,
    task: addTasks,
  };
  const statement = combineStatements(parts, defineExpected(preparation, assertions));

  return (writeLast) => ({
    chargeAndAdd: async (charges, submissions) => {
      const { records, applications, tasks } = toRows(submissions);
      const values = {
        charge: { rows: JSON.stringify(charges.map(toItem)), now: preparation.now() },
        record: { rows: JSON.stringify(records) },
        application: { rows: JSON.stringify(applications) },
        task: { rows: JSON.stringify(tasks) },
        main: {
          limits: JSON.stringify(
            charges.map(({ bucketId, limit }) => ({ bucket_id: bucketId, most: limit })),
          ),
          records: records.length,
          applications: applications.length,
        },
      };
      try {
        const row = await writeLast((run) => run.first(statement, values));
        if (row === null) throw new Error('The storage must tell what it counted.');
        return countsOf(
          charges.map(({ bucketId }) => bucketId),
          JSON.parse(row.counted) as readonly CountedRow[],
        );
      } catch (error) {
        if (assertions.isFailure(error)) return 'conflict';
        throw error;
      }
    },
  });
}

/** That no bucket holds more than it may, and every row was let in. */
function defineExpected({ queries, items }: Preparation, { all }: Assertions): Statement<Expected, Answer> {
  return define((param: Param<Expected>) => {
    const limits = items(param('limits'), { bucket_id: 'text', most: 'integer' });
    const over = sql`select from charge join ${limits} using (bucket_id) where charge.count > item.most`;
    const held = all([
      sql<boolean>`not exists (${over})`,
      sql<boolean>`(select count(*) from record) = ${param('records')}`,
      sql<boolean>`(select count(*) from application) = ${param('applications')}`,
    ]);
    const counted = sql`select coalesce(json_agg(charge), '[]') from charge`;
    const query = sql<Answer>`select ${held} as held, (${counted}) as counted`;
    return { compile: () => query.compile(queries) };
  });
}

function toItem({ bucketId, cost }: { readonly bucketId: string; readonly cost: number }): ChargeItem {
  return { bucket_id: bucketId, count: cost };
}
