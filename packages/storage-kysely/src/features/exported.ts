import { type ExportedSnapshot, exportTables } from '../export-rows.js';
import { STORED_TABLES } from './tables.js';

/** Writes all rows of a snapshot, page by page, in the order of the tables. */
export function exportRows(snapshot: ExportedSnapshot): Promise<void> {
  return exportTables(STORED_TABLES, snapshot);
}
