import type {
  AcceptedSubmission,
  IdempotencyRecord,
  Instant,
  KeyId,
  ResumeTask,
  SubmissionRepository,
} from '@partner-hiring/core/ports';
import type { Columns, JsonRows } from '../dialect.js';
import { lookUpEach } from '../each-item.js';
import { createFront, type FromFront, sweepFrom } from '../front.js';
import { inOrder, pairKey } from '../in-order.js';
import { defineInsert } from '../insert.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { IdempotencyTable, ResumeTaskTable } from '../schema.js';
import { define, type Param } from '../statement.js';
import { APPLICATION_COLUMNS, fromApplicationRecord } from './application-rows.js';

const IDEMPOTENCY_COLUMNS: Columns<IdempotencyTable> = {
  key_id: 'text',
  idempotency_key: 'text',
  fingerprint: 'text',
  json_fingerprint: 'text',
  application_id: 'text',
  company_id: 'text',
  reply_status: 'integer',
  reply_body: 'text',
  created_at: 'integer',
  expires_at: 'integer',
};

type TaskRow = Omit<ResumeTaskTable, 'lease_token' | 'lease_until'>;

const TASK_COLUMNS: Columns<TaskRow> = {
  application_id: 'text',
  key_id: 'text',
  url: 'text',
  attempts: 'integer',
  due_at: 'integer',
};

interface BoundKey {
  readonly key_id: KeyId;
  readonly idempotency_key: string;
}

/** Undoes an `add` of its own transaction. Inside somebody else's, they give theirs up. */
class Conflict extends Error {}

/** Submissions: what the commit of a 201 consists of. */
export const prepareSubmissions: Prepare<SubmissionRepository> = (preparation) => {
  const { queries } = preparation;
  const findRecords = define((param: Param<{ rows: JsonRows<BoundKey> }>) =>
    lookUpEach(preparation, param('rows'), { key_id: 'text', idempotency_key: 'text' }, (item) =>
      queries
        .selectFrom('ph_idempotency')
        .selectAll()
        .where('key_id', '=', item('key_id'))
        .where('idempotency_key', '=', item('idempotency_key')),
    ),
  );
  const { addRecords, addApplications, addTasks } = defineAdding(preparation);
  // Both open at their end, for which a planner takes the index in its order, whatever it knows.
  const findOldest = define((param: Param<FromFront>) =>
    queries
      .selectFrom('ph_idempotency')
      .select('expires_at as at')
      .where('expires_at', '>=', param('from'))
      .orderBy('expires_at')
      .limit(param('limit')),
  );
  const sweep = define((param: Param<FromFront & { now: Instant }>) =>
    queries
      .deleteFrom('ph_idempotency')
      .where((eb) =>
        eb(
          eb.refTuple('key_id', 'idempotency_key'),
          'in',
          eb
            .selectFrom('ph_idempotency')
            .select(['key_id', 'idempotency_key'])
            .where('expires_at', '>=', param('from'))
            .orderBy('expires_at')
            .limit(param('limit'))
            .$asTuple('key_id', 'idempotency_key'),
        ),
      )
      // Asked again of what another transaction changed meanwhile: the key may have been bound anew.
      .where('expires_at', '<=', param('now')),
  );
  const front = createFront(preparation.now);

  return (session) => {
    async function add(submissions: readonly AcceptedSubmission[]): Promise<void> {
      const rows = submissions.map(fromSubmission);
      const records = rows.map(({ record }) => record);
      const applications = rows.map(({ application }) => application);
      const tasks = rows.flatMap(({ task }) => (task === null ? [] : [task]));
      await session.write(async (run) => {
        // On their way together. A task of an application that was not added is undone with the rest.
        const [bound, added] = await Promise.all([
          run.batch(addRecords, records, {}),
          run.batch(addApplications, applications, {}),
          run.batch(addTasks, tasks, {}),
        ]);
        if (bound.changed < records.length || added.changed < applications.length) throw new Conflict();
      });
    }

    return {
      findRecords: (pairs) =>
        session.read(async (run) => {
          const asked = pairs.map(({ keyId, idempotencyKey }) => ({
            key_id: keyId,
            idempotency_key: idempotencyKey,
          }));
          const { rows } = await run.batch(findRecords, asked, {});
          const keys = asked.map((item) => pairKey(item.key_id, item.idempotency_key));
          return inOrder(keys, rows, (row) => pairKey(row.key_id, row.idempotency_key), toRecord);
        }),
      add: async (submissions) => {
        try {
          await add(submissions);
          return 'added';
        } catch (error) {
          if (error instanceof Conflict) return 'conflict';
          throw error;
        }
      },
      sweep: (now, limit) =>
        sweepFrom(front, {
          find: (from) => session.read((run) => run.all(findOldest, { from, limit })),
          isOver: (at) => at <= now,
          remove: (from, count) => session.write((run) => run.changes(sweep, { from, now, limit: count })),
        }),
    };
  };
};

/** The three statements that a submission is added with. */
export function defineAdding(preparation: Preparation) {
  const addRecords = defineInsert(preparation, {
    table: 'ph_idempotency',
    columns: IDEMPOTENCY_COLUMNS,
    finish: (insert) =>
      insert.onConflict((conflict) =>
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
      ),
  });
  const addApplications = defineInsert(preparation, {
    table: 'ph_application',
    columns: APPLICATION_COLUMNS,
    finish: (insert) => insert.onConflict((conflict) => conflict.doNothing()),
  });
  const addTasks = defineInsert(preparation, { table: 'ph_resume_task', columns: TASK_COLUMNS });
  return { addRecords, addApplications, addTasks };
}

/** A submission as the rows that these add. */
export function fromSubmission({ idempotency, application, resume }: AcceptedSubmission) {
  return {
    record: fromRecord(idempotency),
    application: fromApplicationRecord(application),
    task: resume === null ? null : fromTask(resume),
  };
}

function fromRecord(record: IdempotencyRecord): IdempotencyTable {
  return {
    key_id: record.keyId,
    idempotency_key: record.idempotencyKey,
    fingerprint: record.fingerprint,
    json_fingerprint: record.jsonFingerprint,
    application_id: record.applicationId,
    company_id: record.companyId,
    reply_status: record.reply.status,
    reply_body: record.reply.body,
    created_at: record.createdAt,
    expires_at: record.expiresAt,
  };
}

function toRecord(row: IdempotencyTable): IdempotencyRecord {
  return {
    keyId: row.key_id,
    idempotencyKey: row.idempotency_key,
    fingerprint: row.fingerprint,
    jsonFingerprint: row.json_fingerprint,
    applicationId: row.application_id,
    companyId: row.company_id,
    reply: { status: row.reply_status, body: row.reply_body },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

function fromTask(task: ResumeTask): TaskRow {
  const { applicationId, keyId, url, attempts, dueAt } = task;
  return { application_id: applicationId, key_id: keyId, url, attempts, due_at: dueAt };
}
