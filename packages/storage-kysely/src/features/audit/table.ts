import type {
  Act,
  AuditFields,
  AuditId,
  AuditObject,
  AuditObjectKind,
  Door,
  KeyId,
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
import { rowsOf } from '../../table-rows.js';

/** One row for each object of an audit entry. The row of the main object has the number 0. */
export const AUDIT = table('ph_audit', rowsOf(null, ['id', 'number'], { where: 'number = 0' }), {
  id: idColumn<AuditId>(),
  number: integerColumn().hidden(),
  at: instantColumn(),
  actor_id: textColumn().at('actor.id'),
  actor_name: textColumn().orNull().at('actor.name'),
  reason: textColumn().orNull().at('actor.reason'),
  door: choiceColumn<Door>().at('actor.door'),
  act: choiceColumn<Act>(),
  object_kind: choiceColumn<AuditObjectKind>().hidden(),
  object_id: textColumn().hidden(),
  objects: json<readonly AuditObject[]>(),
  key_id: idColumn<KeyId>().orNull(),
  count: integerColumn().orNull(),
  filter: json<AuditFields>().orNull(),
  before: json<AuditFields>().orNull(),
  after: json<AuditFields>().orNull(),
});
