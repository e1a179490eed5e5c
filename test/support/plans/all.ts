import { APPLICATION_QUERIES } from './applications.js';
import { DELIVERY_QUERIES } from './deliveries.js';
import { INBOX_QUERIES } from './inbox.js';
import { INSTALLATION_QUERIES } from './installation.js';
import { PAGES } from './pages.js';
import type { PlannedQuery } from './planned-query.js';
import { RECORD_QUERIES } from './records.js';

/** Every query whose plan matters. The tests of both storages read this table. */
export const PLANNED_QUERIES: readonly PlannedQuery[] = [
  ...PAGES,
  ...APPLICATION_QUERIES,
  ...DELIVERY_QUERIES,
  ...INBOX_QUERIES,
  ...INSTALLATION_QUERIES,
  ...RECORD_QUERIES,
];
