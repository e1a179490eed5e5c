/** A column as the migrations create it. */
export interface ManifestColumn {
  /** With the collation, if it is not the type's own. */
  readonly type: string;
  readonly notNull: boolean;
  /** The expression of the default. */
  readonly default?: string | undefined;
  /** The expression of a generated column, or its kind on SQLite. */
  readonly generated?: string | undefined;
}

/** A table as the migrations create it. The values of the records are definitions. */
export interface ManifestTable {
  readonly columns: Readonly<Record<string, ManifestColumn>>;
  /** By the name of the constraint. On SQLite, constraints have no names, so the definition is the key too. */
  readonly constraints: Readonly<Record<string, string>>;
  /** The indexes that do not belong to a constraint. */
  readonly indexes: Readonly<Record<string, string>>;
}

/** All tables after a migration. A command writes it from a freshly migrated database. */
export interface SchemaManifest {
  /** The newest migration. */
  readonly version: number;
  readonly tables: Readonly<Record<string, ManifestTable>>;
}

export type ManifestTables = SchemaManifest['tables'];

/** Only PostgreSQL has this table, and only after it has migrated tables in use. */
export const LEASE_TABLE = 'ph_migration_lease';

/** Builds a table from rows of a catalogue. Sorts the names, so that a manifest does not depend on their order. */
export function sortedTables(
  tables: ReadonlyMap<
    string,
    {
      readonly columns: ReadonlyMap<string, ManifestColumn>;
      readonly constraints: ReadonlyMap<string, string>;
      readonly indexes: ReadonlyMap<string, string>;
    }
  >,
): ManifestTables {
  return sorted(
    new Map(
      [...tables].map(([name, { columns, constraints, indexes }]) => [
        name,
        { columns: sorted(columns), constraints: sorted(constraints), indexes: sorted(indexes) },
      ]),
    ),
  );
}

function sorted<Value>(values: ReadonlyMap<string, Value>): Readonly<Record<string, Value>> {
  return Object.fromEntries([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
}
