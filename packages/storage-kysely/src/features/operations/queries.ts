import type {
  Instant,
  Operation,
  OperationId,
  OperationRepository,
  OperationState,
} from '@partner-hiring/core/ports';
import { type Expression, sql } from 'kysely';
import { columnParams, defineInsert } from '../../batch.js';
import { NO_ID } from '../../feed-page.js';
import { ONE, prepareFind } from '../../look-ups.js';
import { beyond } from '../../merged-ranges.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { prepareSweepOldest } from '../../sweep-position.js';
import type { DuePart } from '../../system/work.js';
import type { Row } from '../../table.js';
import { OPERATION_INPUTS, OPERATIONS } from './table.js';

/** The columns that a step changes. */
const PROGRESS = OPERATIONS.omit('id', 'plan', 'started_by', 'created_at');

interface ListParams {
  readonly state: OperationState;
  readonly createdAt: Instant;
  readonly id: OperationId;
  readonly limit: number;
}

const START = { createdAt: Number.MAX_SAFE_INTEGER, id: NO_ID } as const;

export const prepareOperations: Prepare<OperationRepository> = (preparation) => {
  const add = defineInsert(preparation, { table: OPERATIONS });
  const addInputs = defineInsert(preparation, { table: OPERATION_INPUTS });
  const { queries } = preparation;
  const listInputs = define((param: Param<{ id: OperationId; limit: number }>) =>
    queries
      .selectFrom('ph_operation_input')
      .select('input')
      .where('operation_id', '=', param('id'))
      .orderBy('number')
      .limit(param('limit')),
  );
  const remove = define((param: Param<{ id: OperationId }>) =>
    queries.deleteFrom('ph_operation').where('id', '=', param('id')),
  );

  return {
    ...prepareFindOperations(preparation),
    ...prepareTakeOperations(preparation),
    add: (session, task, inputs = []) =>
      session.write(async (run) => {
        await run.each(add, [OPERATIONS.toRow(task)], {});
        const rows = inputs.map((input, number) => ({ operation_id: task.operation.id, number, input }));
        await run.each(addInputs, rows, {});
      }),
    addInput: (session, id, number, input) =>
      session.write((run) => run.each(addInputs, [{ operation_id: id, number, input }], {})),
    listInputs: (session, id, limit) =>
      session.read((run) => run.list(listInputs, { id, limit }, ({ input }) => input)),
    remove: (session, id) => session.write((run) => run.execute(remove, { id })),
    sweep: prepareSweepOldest(preparation, { table: 'ph_operation', column: 'finished_at', key: ['id'] }),
  };
};

const prepareFindOperations: Prepare<Pick<OperationRepository, 'find' | 'list'>> = ({ queries }) => {
  const find = define((param: Param<{ id: OperationId }>) =>
    queries.selectFrom('ph_operation').selectAll().where('id', '=', param('id')),
  );
  const defineList = (isInState: boolean) =>
    define((param: Param<ListParams>) =>
      queries
        .selectFrom('ph_operation')
        .selectAll()
        .$if(isInState, (query) => query.where('state', '=', param('state')))
        .where(beyond('<', { created_at: param('createdAt'), id: param('id') }))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(param('limit')),
    );
  const list = defineList(false);
  const listInState = defineList(true);

  return {
    find: (session, id) => session.read((run) => run.one(find, { id }, toOperation)),
    list: (session, { state, after = START, limit }) =>
      session.read((run) => {
        const values = { state: state ?? 'running', createdAt: after.createdAt, id: after.id, limit };
        return run.list(state === null ? list : listInState, values, toOperation);
      }),
  };
};

function toOperation(row: Row<typeof OPERATIONS>): Operation {
  return OPERATIONS.toValue(row).operation;
}

const prepareTakeOperations: Prepare<
  Pick<OperationRepository, 'findForUpdate' | 'isDue' | 'takeDue' | 'save' | 'takeInput'>
> = (preparation) => {
  const { queries, lockRows, lockFreeRows } = preparation;
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
  const save = define((param: Param<Row<typeof OPERATIONS>>) =>
    queries.updateTable('ph_operation').set(columnParams(PROGRESS, param)).where('id', '=', param('id')),
  );
  const takeInput = define((param: Param<{ id: OperationId; number: number }>) =>
    queries
      .deleteFrom('ph_operation_input')
      .where('operation_id', '=', param('id'))
      .where('number', '=', param('number'))
      .returning('input'),
  );

  return {
    findForUpdate: prepareFind(preparation, OPERATIONS, 'id', lockRows),
    isDue: (session, now) => session.read(async (run) => (await run.first(findDue, { now })) !== null),
    takeDue: (session, now) => session.write((run) => run.one(takeDue, { now }, OPERATIONS.toValue)),
    save: (session, task) => session.write((run) => run.execute(save, OPERATIONS.toRow(task))),
    takeInput: (session, id, number) =>
      session.write(async (run) => (await run.first(takeInput, { id, number }))?.input ?? null),
  };
};

/** When the next step of an operation is due. */
export const dueOperations: DuePart = ({ queries }) => [
  queries
    .selectFrom('ph_operation')
    .select('due_at')
    .where('state', '=', sql.lit('running'))
    .orderBy('due_at')
    .limit(ONE)
    .as('operations'),
];
