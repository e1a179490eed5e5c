import {
  define,
  type JsonRows,
  lookUpEach,
  type Param,
  type Preparation,
  type Schema,
  type Session,
  type Statement,
} from '@partner-hiring/storage-kysely';
import { sql } from 'kysely';

/** The kinds of id that lead to a cell. */
export type Locator = 'partner' | 'key' | 'secret' | 'application' | 'request';

/** Knows which cell holds which rows. */
export interface Directory {
  /** Returns the cell that was found last, or undefined. A partner may have moved since. */
  recall(by: Locator, id: string): number | undefined;
  /** Asks the database. The map has no entry for an id without a row. All answers belong to one snapshot. */
  locate(session: Session, by: Locator, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Forgets all cells if some were found before `since`. Returns whether it did. */
  forget(since: number): boolean;
}

const SOURCES = {
  partner: { table: 'ph_partner', column: 'id' },
  key: { table: 'ph_partner_key', column: 'id' },
  secret: { table: 'ph_key_secret', column: 'hash' },
  application: { table: 'ph_application', column: 'id' },
  request: { table: 'ph_request', column: 'request_id' },
} as const satisfies Readonly<Record<Locator, { readonly table: keyof Schema; readonly column: string }>>;

/** Only the cells of these are remembered, because only these are looked up repeatedly. */
const REMEMBERED: ReadonlySet<Locator> = new Set(['key', 'secret']);

/** About 20 MB. Beyond this, all entries are dropped. */
const MOST_ENTRIES = 100_000;

/** Creates a directory that asks the cells' own tables. So it cannot contradict them. */
export function createDirectory(preparations: readonly Preparation[]): Directory {
  const statements = {
    partner: defineLocate(preparations, 'partner'),
    key: defineLocate(preparations, 'key'),
    secret: defineLocate(preparations, 'secret'),
    application: defineLocate(preparations, 'application'),
    request: defineLocate(preparations, 'request'),
  };
  let known = new Map<string, number>();
  let filledAt = Number.POSITIVE_INFINITY;

  return {
    recall: (by, id) => (REMEMBERED.has(by) ? known.get(id) : undefined),
    async locate(session, by, ids) {
      const startedAt = performance.now();
      const asked = [...new Set(ids)].map((id) => ({ id }));
      const found = new Map<string, number>();
      if (asked.length === 0) return found;
      const rows = await session.read((run) => run.all(statements[by], { rows: JSON.stringify(asked) }));
      for (const { id, cell } of rows) found.set(id, cell);
      if (REMEMBERED.has(by)) {
        if (known.size + found.size > MOST_ENTRIES) known = new Map();
        if (known.size === 0) filledAt = startedAt;
        for (const [id, cell] of found) known.set(id, cell);
      }
      return found;
    },
    forget(since) {
      if (known.size === 0 || filledAt > since) return false;
      known = new Map();
      return true;
    },
  };
}

interface Located {
  readonly id: string;
  readonly cell: number;
}

/** Asks all cells in one statement, so that a partner is found in exactly one of them even while it moves. */
function defineLocate(
  preparations: readonly Preparation[],
  by: Locator,
): Statement<{ rows: JsonRows<{ id: string }> }, Located> {
  const { table, column } = SOURCES[by];
  return define((param: Param<{ rows: JsonRows<{ id: string }> }>) => {
    const parts = preparations.map(
      (preparation, cell) =>
        sql`(${lookUpEach(
          preparation,
          param('rows'),
          { id: 'text' },
          (item) =>
            preparation.queries
              .selectFrom(table)
              .select([sql.ref<string>(column).as('id'), sql<number>`${sql.lit(cell)}::int`.as('cell')])
              .where(sql.ref(column), '=', item('id')) as never,
        )})`,
    );
    const [first] = preparations;
    if (first === undefined) throw new Error('A directory needs at least one cell.');
    return { compile: () => sql<Located>`${sql.join(parts, sql` union all `)}`.compile(first.queries) };
  });
}
