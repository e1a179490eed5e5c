import { APPLICATION_STATUSES } from '@partner-hiring/core';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Range } from '../merged-ranges.js';
import type { Schema } from '../schema.js';

/** Splits applications by their status, the first column of most indexes. The planner sees the statuses. */
export function inEachStatus<Row>(
  rows: SelectQueryBuilder<Schema, 'ph_application', Row>,
): readonly Range<Row>[] {
  return APPLICATION_STATUSES.map((status) => rows.where('status', '=', sql.lit(status)));
}
