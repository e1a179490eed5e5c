import type { CompanyId, Total, TotalHead, TotalPlace } from '@partner-hiring/core/ports';
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

/** Sums of days and months. */
export const TOTALS = table('ph_total', rowsOf(null, ['key_id', 'unit', 'starts_at', 'company_id', 'name']), {
  key_id: idColumn<Total['keyId']>(),
  unit: choiceColumn<TotalPlace['unit']>(),
  starts_at: instantColumn(),
  /** Empty for the sum of all companies. */
  company_id: idColumn<CompanyId | ''>().as<CompanyId | null>({
    encode: (companyId) => companyId ?? '',
    decode: (stored) => (stored === '' ? null : stored),
  }),
  name: textColumn(),
  count: integerColumn(),
});

/** How far each key is counted. */
export const TOTAL_HEADS = table('ph_total_head', rowsOf(null, NOT_EXPORTED), {
  key_id: idColumn<TotalHead['keyId']>(),
  at: instantColumn(),
  counted_at: instantColumn(),
  replaces: instantColumn(),
  hours: json<TotalHead['hours']>(),
});
