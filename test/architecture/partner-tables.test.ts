import { expect, test } from 'vitest';
import { FREE_TABLES, LOCKED_TABLES } from '../../packages/postgres/src/cells/partner-tables.js';
import { STORED_TABLES } from '../../packages/storage-kysely/src/features/tables.js';
import { migrationsOf } from '../support/missing-columns.js';

/** The records of the installation, and what is kept in the home cell. */
const STAY = ['ph_audit', 'ph_hour_count', 'ph_portal_pass', 'ph_total', 'ph_total_head'];

const namesOf = (tables: readonly { readonly table: string }[]) => tables.map(({ table }) => table);

/** The tables that each table references. */
const REFERENCED = new Map(
  [...migrationsOf('postgres').matchAll(/^create table (\w+) \((.*?)^\)/gms)].map(
    ([, name, columns = '']) => [
      name,
      [...columns.matchAll(/\breferences (\w+)/g)].map(([, target = '']) => target),
    ],
  ),
);

test('a table with a column for a partner, a key or an application moves with the partner', () => {
  const owned = STORED_TABLES.filter(({ shape }) =>
    ['partner_id', 'key_id', 'application_id'].some((column) => column in shape),
  );
  const moved = namesOf([...LOCKED_TABLES, ...FREE_TABLES]);
  const staying = owned.map(({ name }) => name).filter((name) => !moved.includes(name));
  expect(staying.toSorted()).toEqual(STAY);
});

test('a table is locked if it references others, and comes after them', () => {
  const locked = namesOf(LOCKED_TABLES);
  const named = ['ph_partner', 'ph_name_word'];
  const unlocked = locked.filter((name) => !named.includes(name) && REFERENCED.get(name)?.length === 0);
  expect(unlocked).toEqual([]);
  expect(namesOf(FREE_TABLES).filter((name) => REFERENCED.get(name)?.length !== 0)).toEqual([]);
  expect(early(locked)).toEqual([]);
});

test('the list of all tables has each after those that it references', () => {
  expect(REFERENCED.size).toBeGreaterThan(30);
  expect(early(STORED_TABLES.map(({ name }) => name))).toEqual([]);
});

/** The tables that come before a listed table that they reference. */
function early(names: readonly string[]): readonly string[] {
  return names.filter((name, index) =>
    (REFERENCED.get(name) ?? []).some((target) => names.indexOf(target) > index),
  );
}
