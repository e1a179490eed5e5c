import type {
  Actor,
  Instant,
  Operation,
  OperationId,
  OperationPlan,
  OperationRepository,
  OperationState,
  OperationTask,
} from '@partner-hiring/core/ports';
import { type Expression, type ExpressionBuilder, sql } from 'kysely';
import { defineInsert } from '../batch.js';
import type { Columns } from '../dialect.js';
import type { Prepare } from '../preparation.js';
import type { OperationInputTable, OperationTable, Schema } from '../schema.js';
import { define, type Param, WRITTEN } from '../statement.js';

const OPERATION_COLUMNS: Columns<OperationTable> = {
  id: 'text',
  plan: 'text',
  started_by: 'text',
  state: 'text',
  position: 'text',
  done: 'integer',
  skipped: 'integer',
  total: 'integer',
  failures: 'integer',
  last_error: 'text',
  created_at: 'integer',
  due_at: 'integer',
  updated_at: 'integer',
  finished_at: 'integer',
};

const INPUT_COLUMNS: Columns<OperationInputTable> = {
  operation_id: 'text',
  number: 'integer',
  input: 'text',
};

interface ListParams {
  readonly createdAt: Instant;
  readonly id: OperationId | '';
  readonly limit: number;
}

const START = { createdAt: Number.MAX_SAFE_INTEGER, id: '' } as const;

export const prepareOperations: Prepare<OperationRepository> = (preparation) => {
  const bindFind = prepareFindOperations(preparation);
  const bindTake = prepareTakeOperations(preparation);
  const bindSweep = prepareSweepOperations(preparation);
  const add = defineInsert(preparation, { table: 'ph_operation', columns: OPERATION_COLUMNS });
  const addInputs = defineInsert(preparation, { table: 'ph_operation_input', columns: INPUT_COLUMNS });

  return (session) => ({
    ...bindFind(session),
    ...bindTake(session),
    ...bindSweep(session),
    add: (task, inputs = []) =>
      session.write(async (run) => {
        await run.batch(add, [fromTask(task)], {});
        const rows = inputs.map((input, number) => ({ operation_id: task.operation.id, number, input }));
        await run.batch(addInputs, rows, {});
      }),
  });
};

const prepareFindOperations: Prepare<Pick<OperationRepository, 'find' | 'list'>> = ({ queries }) => {
  const find = define((param: Param<{ id: OperationId }>) =>
    queries.selectFrom('ph_operation').selectAll().where('id', '=', param('id')),
  );
  const newest = queries
    .selectFrom('ph_operation')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  const list = define((param: Param<ListParams>) =>
    newest.where((where) => isAfter(where, param)).limit(param('limit')),
  );
  const listInState = define((param: Param<ListParams & { state: OperationState }>) =>
    newest
      .where('state', '=', param('state'))
      .where((where) => isAfter(where, param as Param<ListParams>))
      .limit(param('limit')),
  );

  return (session) => ({
    find: (id) =>
      session.read(async (run) => {
        const row = await run.first(find, { id });
        return row === null ? null : toOperation(row);
      }),
    list: ({ state, after = START, limit }) =>
      session.read(async (run) => {
        const values = { createdAt: after.createdAt, id: after.id, limit };
        const rows =
          state === null ? await run.all(list, values) : await run.all(listInState, { ...values, state });
        return rows.map(toOperation);
      }),
  });
};

/** Comparing a pair of columns lets the database read one range of the index. */
function isAfter(where: ExpressionBuilder<Schema, 'ph_operation'>, param: Param<ListParams>) {
  return where(
    where.refTuple('created_at', 'id'),
    '<',
    where.tuple(param('createdAt'), param('id') as never),
  );
}

const prepareTakeOperations: Prepare<
  Pick<OperationRepository, 'findForUpdate' | 'isDue' | 'takeDue' | 'save' | 'takeInput'>
> = ({ queries, lockRows, lockFreeRows }) => {
  const findForUpdate = define((param: Param<{ id: OperationId }>) =>
    queries.selectFrom('ph_operation').selectAll().where('id', '=', param('id')).$call(lockRows),
  );
  const firstDue = (now: Expression<Instant>) =>
    queries
      .selectFrom('ph_operation')
      // This value is a literal, because the planner does not match a parameter to a partial index.
      .where('state', '=', sql.lit('running'))
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .orderBy('id')
      .limit(sql.lit(1));
  const findDue = define((param: Param<{ now: Instant }>) => firstDue(param('now')).select('id'));
  const takeDue = define((param: Param<{ now: Instant }>) =>
    firstDue(param('now')).selectAll().$call(lockFreeRows),
  );
  const save = define((param: Param<OperationTable>) =>
    queries
      .updateTable('ph_operation')
      .set({
        state: param('state'),
        position: param('position'),
        done: param('done'),
        skipped: param('skipped'),
        total: param('total'),
        failures: param('failures'),
        last_error: param('last_error'),
        due_at: param('due_at'),
        updated_at: param('updated_at'),
        finished_at: param('finished_at'),
      })
      .where('id', '=', param('id')),
  );
  const takeInput = define((param: Param<{ id: OperationId; number: number }>) =>
    queries
      .deleteFrom('ph_operation_input')
      .where('operation_id', '=', param('id'))
      .where('number', '=', param('number'))
      .returning('input'),
  );

  return (session) => ({
    findForUpdate: (id) =>
      session.read(async (run) => {
        const row = await run.first(findForUpdate, { id });
        return row === null ? null : toTask(row);
      }),
    isDue: (now) => session.read(async (run) => (await run.first(findDue, { now })) !== null),
    takeDue: (now) =>
      session.write(async (run) => {
        const row = await run.first(takeDue, { now });
        return row === null ? null : toTask(row);
      }),
    save: (task) => session.write((run) => run.execute(save, fromTask(task))),
    takeInput: (id, number) =>
      session.write(async (run) => (await run.first(takeInput, { id, number }))?.input ?? null),
  });
};

const prepareSweepOperations: Prepare<Pick<OperationRepository, 'sweep'>> = ({ queries }) => {
  const sweep = define((param: Param<{ before: Instant; limit: number }>) =>
    queries
      .deleteFrom('ph_operation')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('ph_operation as old')
          .select('old.id')
          .where('old.finished_at', '<', param('before'))
          .orderBy('old.finished_at')
          .limit(param('limit')),
      )
      .returning(WRITTEN),
  );
  return (session) => ({
    sweep: (before, limit) => session.write((run) => run.count(sweep, { before, limit })),
  });
};

/** Releases without an audit did not record who started an operation. */
const OLD_STARTER: Actor = { id: 'host', name: null, reason: null };

function fromTask({ operation, position, failures, dueAt }: OperationTask): OperationTable {
  const { id, plan, startedBy, state, counts, lastError, createdAt, updatedAt, finishedAt } = operation;
  return {
    id,
    plan: JSON.stringify(plan),
    started_by: JSON.stringify(startedBy),
    state,
    position,
    done: counts.done,
    skipped: counts.skipped,
    total: counts.total,
    failures,
    last_error: lastError,
    created_at: createdAt,
    due_at: dueAt,
    updated_at: updatedAt,
    finished_at: finishedAt,
  };
}

function toTask(row: OperationTable): OperationTask {
  return {
    operation: toOperation(row),
    position: row.position,
    failures: row.failures,
    dueAt: row.due_at,
  };
}

function toOperation(row: OperationTable): Operation {
  return {
    id: row.id,
    plan: JSON.parse(row.plan) as OperationPlan,
    startedBy: row.started_by === null ? OLD_STARTER : (JSON.parse(row.started_by) as Actor),
    state: row.state,
    counts: { done: row.done, skipped: row.skipped, total: row.total },
    lastError: row.last_error,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  };
}
