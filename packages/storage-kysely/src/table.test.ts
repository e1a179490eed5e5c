import { describe, expect, expectTypeOf, it } from 'vitest';
import { createMapping, type MappedField } from './mapping.js';
import {
  decimal,
  flagColumn,
  idColumn,
  instantColumn,
  integerColumn,
  json,
  type Row,
  table,
  textColumn,
} from './table.js';
import { NOT_EXPORTED, rowsOf } from './table-rows.js';

const ROOMS = table(
  'ph_partner',
  rowsOf('partner', NOT_EXPORTED),
  {
    id: idColumn<`room_${number}`>(),
    floor_number: integerColumn(),
    city: textColumn().at('place.city'),
    area: decimal().orNull().at('place.area'),
    is_free: flagColumn(),
    tags: json<readonly string[]>().orNull(),
    label: textColumn().derived(
      ({ place }: { readonly place: { readonly city: string } }) => `in ${place.city}`,
    ),
    note: textColumn().orNull().hidden(),
    freed_at: instantColumn().orNull().hidden(),
  },
  { isNoted: (row) => row.note !== null },
);

const VALUE = {
  id: 'room_1',
  floorNumber: 2,
  place: { city: 'Oslo', area: null },
  isFree: true,
  tags: ['quiet'],
} as const;
const ROW = {
  id: 'room_1',
  floor_number: 2,
  city: 'Oslo',
  area: null,
  is_free: 1,
  tags: '["quiet"]',
  label: 'in Oslo',
} as const;

describe('the description of a table', () => {
  it('converts values to rows, without the columns that no field holds', () => {
    expect(ROOMS.toRow(VALUE)).toEqual(ROW);
  });

  it('converts rows to values, with fields that need several columns', () => {
    expect(ROOMS.toValue({ ...ROW, note: 'late', freed_at: null })).toEqual({ ...VALUE, isNoted: true });
    expect(ROOMS.toValue({ ...ROW, tags: null, note: null, freed_at: null })).toEqual({
      ...VALUE,
      tags: null,
      isNoted: false,
    });
  });

  it('keeps the named columns in the order of their names', () => {
    expect(Object.entries(ROOMS.pick('tags', 'id').columns)).toEqual([
      ['tags', 'text'],
      ['id', 'text'],
    ]);
    expect(ROOMS.pick('tags', 'id').toRow(VALUE)).toEqual({ tags: '["quiet"]', id: 'room_1' });
    expect(Object.keys(ROOMS.omit('label', 'note', 'freed_at').columns)).toEqual(
      Object.keys(ROW).slice(0, -1),
    );
  });

  it('has the types of rows and values', () => {
    expectTypeOf<Row<typeof ROOMS>>().toEqualTypeOf<{
      id: `room_${number}`;
      floor_number: number;
      city: string;
      area: number | null;
      is_free: 0 | 1;
      tags: string | null;
      label: string;
      note: string | null;
      freed_at: number | null;
    }>();
    expectTypeOf(ROOMS.toValue).returns.toExtend<{
      readonly id: `room_${number}`;
      readonly floorNumber: number;
      readonly place: { readonly city: string; readonly area: number | null };
      readonly isFree: boolean;
      readonly tags: readonly string[] | null;
      readonly isNoted: boolean;
    }>();
    // @ts-expect-error: the column of a field is missing.
    expect(() => ROOMS.toRow({ ...VALUE, place: undefined })).toThrow();
  });
});

describe('a mapping', () => {
  const fields: readonly MappedField[] = [
    { name: 'plain', path: ['a'], convert: null },
    { name: 'in"ner', fields: [{ name: 'deep', path: ['b', 'c'], convert: (value: number) => value + 1 }] },
    { name: 'all', whole: ({ a }: { readonly a: string }) => a.length },
  ];
  const source = { a: 'text', b: { c: 1 } };
  const disallowed = () => {
    throw new EvalError('Code generation from strings disallowed for this context');
  };

  it.each([
    ['generated code', createMapping(fields)],
    ['a loop, where the process disallows generated code', createMapping(fields, disallowed)],
  ])('makes the same object with %s', (_, map) => {
    expect(map(source as never)).toEqual({ plain: 'text', 'in"ner': { deep: 2 }, all: 4 });
    expect(map(source as never)).toEqual({ plain: 'text', 'in"ner': { deep: 2 }, all: 4 });
  });
});
