import {
  type CompanyId,
  type JobId,
  type NamedMatch,
  type NamesByWord,
  nameWords,
  type PartnerId,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineInsert, selectItems } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { defineEach, type Item } from '../look-ups.js';
import { defineMerged } from '../merged-ranges.js';
import type { Preparation } from '../preparation.js';
import type { Run } from '../session.js';
import { define, type Param } from '../statement.js';
import { NAME_WORDS, type NameKind } from '../tables/index.js';

interface IdOfKind {
  readonly partner: PartnerId;
  readonly company: CompanyId;
  readonly job: JobId;
}

/** An object with its name. */
interface Named<Id extends string> {
  readonly id: Id;
  readonly name: string;
}

interface IdItem {
  readonly id: string;
}

/** Writes the words of names, in the commit of the names. */
export interface NameWordWriter<Id extends string> {
  /** Adds the words of new objects. */
  add(run: Run, named: readonly Named<Id>[]): Promise<void>;
  /** Replaces the words of objects, new or not. Writes nothing for a name with the same words as before. */
  save(run: Run, named: readonly Named<Id>[]): Promise<void>;
}

/** More words than a name has. With a limit, PostgreSQL looks up each name instead of scanning the table. */
const MOST_WORDS = sql.lit(100);

export function prepareNameWords<Kind extends NameKind>(
  preparation: Preparation,
  kind: Kind,
): NameWordWriter<IdOfKind[Kind]> {
  const { queries } = preparation;
  const insert = defineInsert(preparation, {
    table: NAME_WORDS,
    keyColumns: 2,
    finish: (adding) => adding.onConflict((conflict) => conflict.doNothing()),
  });
  const find = defineEach(preparation, { id: 'text' }, (item: Item<IdItem>) =>
    queries
      .selectFrom('ph_name_word')
      .selectAll()
      .where('id', '=', item('id') as never)
      .limit(MOST_WORDS),
  );
  const remove = define((param: Param<{ rows: JsonRows<IdItem> }>) =>
    queries
      .deleteFrom('ph_name_word')
      .where('id', 'in', selectItems(preparation, param('rows'), 'id') as never),
  );
  const wordsOf = ({ id, name }: Named<IdOfKind[Kind]>) =>
    nameWords(name).map((word) => ({ id, word, kind }));

  return {
    add: (run, named) => run.each(insert, named.flatMap(wordsOf), {}),
    save: async (run, named) => {
      const { rows } = await run.batch(find, named.map(toItem), {});
      const before = new Map<string, string[]>();
      for (const { id, word } of rows) before.set(id, [...(before.get(id) ?? []), word]);
      const changed = named.filter(({ id, name }) => !areSame(before.get(id) ?? [], nameWords(name)));
      const renamed = changed.filter(({ id }) => before.has(id));
      await run.each(remove, renamed.map(toItem), {});
      await run.each(insert, changed.flatMap(wordsOf), {});
    },
  };
}

function toItem({ id }: IdItem): IdItem {
  return { id };
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word) => other.includes(word));
}

interface WordParams {
  readonly word: string;
  readonly before: string;
  readonly limit: number;
}

/** It sorts after every text that begins with the same one. */
export const HIGHEST_CODE_POINT = '\u{10FFFF}';

/** The queries for names with a word, newest first, and for names with a longer word that begins with it. */
export function defineByWord<Kind extends NameKind>(preparation: Preparation, kind: Kind) {
  const ofKind = preparation.queries
    .selectFrom('ph_name_word')
    .select(['id', 'word'])
    .where('kind', '=', sql.lit(kind) as never);
  const whole = defineMerged(
    preparation,
    { columns: ['id'], direction: 'desc' },
    (param: Param<WordParams>) => [ofKind.where('word', '=', param('word'))],
  );
  const longer = defineMerged(
    preparation,
    { columns: ['word', 'id'], direction: 'asc' },
    (param: Param<WordParams>) => [
      ofKind.where('word', '>', param('word')).where('word', '<', param('before')),
    ],
  );

  return async (
    run: Run,
    { word, match, limit }: NamesByWord,
  ): Promise<readonly NamedMatch<IdOfKind[Kind]>[]> => {
    const values = { word, before: word + HIGHEST_CODE_POINT, limit };
    const rows = await run.all(match === 'whole' ? whole : longer, values);
    return rows as readonly unknown[] as readonly NamedMatch<IdOfKind[Kind]>[];
  };
}
