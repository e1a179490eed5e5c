import type {
  Actor,
  Operation,
  OperationId,
  OperationPlan,
  OperationState,
  SyncCounts,
} from '@partner-hiring/core/ports';
import {
  choiceColumn,
  idColumn,
  instantColumn,
  integerColumn,
  json,
  table,
  textColumn,
} from '../../table.js';
import { NOT_EXPORTED, rowsOf } from '../../table-rows.js';

/** Releases without an audit did not record who started an operation. */
const OLD_STARTER: Actor = { id: 'host', name: null, reason: null, door: 'library' };

/** Operations of the host. `due_at` is when the next step may run. */
export const OPERATIONS = table('ph_operation', rowsOf(null, ['id']), {
  id: idColumn<OperationId>().at('operation.id'),
  plan: json<OperationPlan>().at('operation.plan'),
  started_by: json<Actor>()
    .orNull()
    .as<Actor>({
      encode: JSON.stringify,
      decode: (stored) => (stored === null ? OLD_STARTER : JSON.parse(stored)),
    })
    .at('operation.startedBy'),
  state: choiceColumn<OperationState>().at('operation.state'),
  /** The step's own JSON. */
  position: textColumn().orNull(),
  done: integerColumn().at('operation.counts.done'),
  skipped: integerColumn().at('operation.counts.skipped'),
  total: integerColumn().orNull().at('operation.counts.total'),
  failed: json<Operation['failed']>().orNull().at('operation.failed'),
  sync: json<SyncCounts>().orNull().at('operation.sync'),
  failures: integerColumn(),
  last_error: textColumn().orNull().at('operation.lastError'),
  created_at: instantColumn().at('operation.createdAt'),
  due_at: instantColumn(),
  updated_at: instantColumn().at('operation.updatedAt'),
  finished_at: instantColumn().orNull().at('operation.finishedAt'),
});

/** The inputs of an operation's steps, each with its own JSON. */
export const OPERATION_INPUTS = table('ph_operation_input', rowsOf(null, NOT_EXPORTED), {
  operation_id: idColumn<OperationId>(),
  number: integerColumn(),
  input: textColumn(),
});
