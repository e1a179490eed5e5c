import type { KeyId } from '@partner-hiring/core/ports';
import { type Expression, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Preparation } from './preparation.js';
import type { Schema } from './schema.js';

/** Selects the first key of an index that comes after a given key. */
type FirstBehind = (key: Expression<KeyId>) => SelectQueryBuilder<Schema, never, { key_id: KeyId }>;

interface Bound {
  /** The key after which the walk starts. */
  readonly after: Expression<KeyId | ''>;
  readonly most: number;
}

interface Walked {
  readonly key: { readonly key_id: KeyId; readonly number: number };
}

/**
 * Selects each key of an index once, by a loose index scan that jumps from one key to the next. Each step costs one
 * index look-up. With a bound, selects at most `most` keys, in ascending order.
 */
export function walkKeys(
  { queries }: Preparation,
  firstBehind: FirstBehind,
  bound: Bound | null = null,
): SelectQueryBuilder<Schema, never, { key_id: KeyId }> {
  const isBound = bound !== null;
  const start = firstBehind((bound?.after ?? sql<KeyId>`''`) as Expression<KeyId>);
  return (queries as unknown as Kysely<Walked>)
    .withRecursive(
      isBound ? 'key(key_id, number)' : 'key(key_id)',
      (db) =>
        db.selectNoFrom([start.as('key_id'), ...(isBound ? [sql.lit(1).as('number')] : [])]).unionAll(
          db
            .selectFrom('key')
            .select(({ ref, eb }) => [
              firstBehind(ref('key.key_id') as Expression<KeyId>).as('key_id'),
              ...(isBound ? [eb('key.number', '+', sql.lit(1)).as('number')] : []),
            ])
            .where('key.key_id', 'is not', null)
            .$if(isBound, (query) => query.where('key.number', '<', sql.lit(bound?.most ?? 0))) as never,
        ) as never,
    )
    .selectFrom('key')
    .where('key.key_id', 'is not', null)
    .select('key.key_id as key_id')
    .$if(isBound, (query) => query.orderBy('key.number')) as never;
}
