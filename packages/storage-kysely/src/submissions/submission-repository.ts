import type { AcceptedSubmission, SubmissionRepository } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineInsert, replace } from '../batch.js';
import { combineStatements } from '../combine-statements.js';
import type { Assertions, JsonRows } from '../dialect.js';
import { prepareFindEach } from '../look-ups.js';
import type { Preparation, Prepared } from '../preparation.js';
import { fromNewApplication, NEW_APPLICATIONS } from '../repositories/application-rows.js';
import { type ChargeItem, type CountedRow, countsOf, defineCharge } from '../repositories/rate-windows.js';
import type { Run, WriteLast } from '../session.js';
import { define, type Param, type Statement, WRITTEN } from '../statement.js';
import { prepareSweep } from '../sweep-position.js';
import { IDEMPOTENCY } from '../tables/index.js';

/** The rows that a feature adds with each submission, in the same statement. */
export interface SubmissionPart {
  /** Its name in the statement. */
  readonly name: string;
  readonly define: (preparation: Preparation) => Statement<{ readonly rows: JsonRows<never> }, unknown>;
  readonly toRows: (submission: AcceptedSubmission) => readonly object[];
}

/**
 * Compiles the inserts of a submission. In SQLite they need no `returning`: its driver counts the writes,
 * which costs less.
 */
function defineAdding(preparation: Preparation, parts: readonly SubmissionPart[]) {
  const isServer = preparation.batches.kind === 'json';
  const addRecords = defineInsert(preparation, {
    table: IDEMPOTENCY,
    finish: (insert) =>
      insert
        .onConflict((conflict) =>
          replace(IDEMPOTENCY, ['key_id', 'idempotency_key'])(conflict).whereRef(
            'ph_idempotency.expires_at',
            '<=',
            'excluded.created_at',
          ),
        )
        .$if(isServer, (query) => query.returning(WRITTEN)),
  });
  const addApplications = defineInsert(preparation, {
    table: NEW_APPLICATIONS,
    finish: (insert) =>
      insert
        .onConflict((conflict) => conflict.doNothing())
        .$if(isServer, (query) => query.returning(WRITTEN)),
  });
  const ofParts = parts.map((part) => ({ ...part, add: part.define(preparation) }));
  return { addRecords, addApplications, ofParts };
}

type Adding = ReturnType<typeof defineAdding>;

/** Thrown to roll back the transaction. In a host's transaction, the host must roll back. */
class Conflict extends Error {}

async function orConflict<T>(work: () => Promise<T>): Promise<T | 'conflict'> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Conflict) return 'conflict';
    throw error;
  }
}

/** @throws Conflict if an idempotency key or a source id is already bound. */
async function addAll(
  run: Run,
  { addRecords, addApplications, ofParts }: Adding,
  submissions: readonly AcceptedSubmission[],
): Promise<void> {
  const { records, applications } = toRows(submissions);
  // Sends all inserts at once. A conflict rolls back all of them.
  const [bound, added] = await Promise.all([
    run.batch(addRecords, records, {}),
    run.batch(addApplications, applications, {}),
    ...ofParts.map(({ add, toRows: rowsOf }) => run.batch(add, submissions.flatMap(rowsOf) as never[], {})),
  ]);
  if (bound.rows.length < records.length || added.rows.length < applications.length) throw new Conflict();
}

function toRows(submissions: readonly AcceptedSubmission[]) {
  return {
    records: submissions.map(({ idempotency }) => IDEMPOTENCY.toRow(idempotency)),
    applications: submissions.map(({ application, idempotency }) =>
      fromNewApplication(application, idempotency.idempotencyKey),
    ),
  };
}

type ChargeAndAdd = Prepared<SubmissionRepository>['chargeAndAdd'];

/**
 * Counts the submissions against the rate limits and adds them: all or none. Uses one statement if the commit
 * can be sent with it.
 */
function prepareChargeAndAdd(preparation: Preparation, adding: Adding): ChargeAndAdd {
  const { assertions } = preparation;
  const charge = defineCharge(preparation);
  const stepByStep: ChargeAndAdd = (session, charges, submissions) =>
    orConflict(() =>
      session.write(async (run) => {
        const { rows } = await run.batch(charge, charges.map(toItem), { now: preparation.now() });
        const counts = countsOf(charges.map(toBucketId), rows);
        if (counts.some(({ count }, index) => count > (charges[index]?.limit ?? 0))) throw new Conflict();
        await addAll(run, adding, submissions);
        return counts;
      }),
    );
  if (assertions === null) return stepByStep;
  const combined = prepareCombined(preparation, assertions, { charge, ...adding });
  return (session, charges, submissions) =>
    session.writeLast === null
      ? stepByStep(session, charges, submissions)
      : combined(session.writeLast, charges, submissions);
}

function toBucketId({ bucketId }: { readonly bucketId: string }): string {
  return bucketId;
}

interface Answer {
  /** The counts, as JSON. */
  readonly counted: string;
}

interface Expected {
  readonly limits: JsonRows<{ readonly bucket_id: string; readonly most: number }>;
  readonly records: number;
  readonly applications: number;
}

function prepareCombined(
  preparation: Preparation,
  assertions: Assertions,
  { charge, addRecords, addApplications, ofParts }: Adding & { charge: ReturnType<typeof defineCharge> },
) {
  const ofBase = { charge, record: addRecords, application: addApplications };
  const parts: typeof ofBase = {
    ...ofBase,
    ...Object.fromEntries(ofParts.map(({ name, add }) => [name, add])),
  };
  const statement = combineStatements(parts, defineExpected(preparation, assertions));

  return async (
    writeLast: WriteLast,
    ...[charges, submissions]: Parameters<SubmissionRepository['chargeAndAdd']>
  ) => {
    const { records, applications } = toRows(submissions);
    const values = {
      charge: { rows: JSON.stringify(charges.map(toItem)), now: preparation.now() },
      record: { rows: JSON.stringify(records) },
      application: { rows: JSON.stringify(applications) },
      ...Object.fromEntries(
        ofParts.map(({ name, toRows: rowsOf }) => [
          name,
          { rows: JSON.stringify(submissions.flatMap(rowsOf)) },
        ]),
      ),
      main: {
        limits: JSON.stringify(charges.map(({ bucketId, limit }) => ({ bucket_id: bucketId, most: limit }))),
        records: records.length,
        applications: applications.length,
      },
    };
    try {
      const row = await writeLast((run) => run.first(statement, values));
      if (row === null) throw new Error('The combined statement must return its counts.');
      return countsOf(charges.map(toBucketId), JSON.parse(row.counted) as readonly CountedRow[]);
    } catch (error) {
      if (assertions.isFailure(error)) return 'conflict';
      throw error;
    }
  };
}

/** Checks that no bucket exceeds its limit and that every row was added. */
function defineExpected({ queries, items }: Preparation, { all }: Assertions): Statement<Expected, Answer> {
  return define((param: Param<Expected>) => {
    const limits = items(param('limits'), { bucket_id: 'text', most: 'integer' });
    const over = sql`select from charge join ${limits} using (bucket_id) where charge.count > item.most`;
    const held = all([
      sql<boolean>`not exists (${over})`,
      sql<boolean>`(select count(*) from record) = ${param('records')}`,
      sql<boolean>`(select count(*) from application) = ${param('applications')}`,
    ]);
    const counted = sql`select coalesce(pg_catalog.json_agg(charge), '[]') from charge`;
    const query = sql<Answer>`select ${held} as held, (${counted}) as counted`;
    return { compile: () => query.compile(queries) };
  });
}

function toItem({ bucketId, cost }: { readonly bucketId: string; readonly cost: number }): ChargeItem {
  return { bucket_id: bucketId, count: cost };
}

/** @param parts - what features add, in the order of the statement. */
export function prepareSubmissions(
  preparation: Preparation,
  parts: readonly SubmissionPart[],
): Prepared<SubmissionRepository> {
  const findRecords = prepareFindEach(preparation, IDEMPOTENCY, ['key_id', 'idempotency_key']);
  const adding = defineAdding(preparation, parts);
  /** Deletes the records of expired idempotency keys. */
  const sweep = prepareSweep(preparation, {
    table: 'ph_idempotency',
    column: 'expires_at',
    key: ['key_id', 'idempotency_key'],
    // Another transaction may have bound the same idempotency key again meanwhile.
    recheck: (query, now) => query.where('expires_at', '<=', now),
    isOver: (at, now) => at <= now,
  });

  return {
    findRecords,
    add: (session, submissions) =>
      orConflict(async () => {
        await session.write((run) => addAll(run, adding, submissions));
        return 'added' as const;
      }),
    chargeAndAdd: prepareChargeAndAdd(preparation, adding),
    sweep,
  };
}
