/**
 * The owner of a table's rows. Rows with an owner move with their partner to another schema. Rows of a partner, a key, a
 * feed and an application refer to a key by foreign keys. Rows of an inbox and of a log do not. The owner is named by the
 * column `partner_id`, `key_id` or `application_id`. Null if the rows belong to no partner, and stay.
 */
export type RowOwner = 'partner' | 'key' | 'feed' | 'application' | 'inbox' | 'log' | null;

/** How an export writes the rows of a table. */
interface RowExport {
  /** The kind of the rows. Default: the name of the table, without `ph_`. */
  readonly exportedAs?: string;
  /** A field with a hash or secrets, which is left out. */
  readonly without?: string;
  /** Returns the values of a row. Default: one with its fields. */
  readonly toValues?: (row: object) => readonly object[];
  /** True if each part of the database has all rows. */
  readonly isShared?: true;
  readonly where?: string;
}

export interface TableRows extends RowExport {
  readonly owner: RowOwner;
  /** The primary key, so that a page continues after the last row of the one before. */
  readonly exportedBy: readonly string[] | null;
}

/**
 * An export leaves out hashes, sealed secrets, sessions, stored replies, counted rates, workers, and what is computed from
 * other rows.
 */
export const NOT_EXPORTED = null;

/** Describes the rows of a table: whose they are, and the primary key by which they are exported. */
export function rowsOf(
  owner: RowOwner,
  exportedBy: TableRows['exportedBy'],
  more: RowExport = {},
): TableRows {
  return { owner, exportedBy, ...more };
}
