import type { Total, TotalHead } from '@partner-hiring/core/ports';
import { idColumn, instantColumn, integerColumn, table, textColumn } from '../../table.js';
import { NOT_EXPORTED, rowsOf } from '../../table-rows.js';

/** Sums of days. */
export const TOTALS = table('ph_total', rowsOf(null, ['key_id', 'company_id', 'day', 'name']), {
  key_id: idColumn<Total['keyId']>(),
  company_id: idColumn<Total['companyId']>(),
  day: instantColumn(),
  name: textColumn(),
  count: integerColumn(),
});

/** How far each key is counted. */
export const TOTAL_HEADS = table('ph_total_head', rowsOf(null, NOT_EXPORTED), {
  key_id: idColumn<TotalHead['keyId']>(),
  at: instantColumn(),
  hour: instantColumn(),
  version: integerColumn(),
});
