import { expect, it } from 'vitest';
import { addressOf, readFields } from './read-form.js';

it('reads trimmed texts, and null for empty ones', () => {
  const fields = readFields(new URLSearchParams('a= x &b=&c=%20&d=1&d=2'));
  expect([fields.text('a'), fields.text('b'), fields.text('c'), fields.text('none')]).toEqual([
    'x',
    null,
    null,
    null,
  ]);
  expect(fields.all('d')).toEqual(['1', '2']);
  expect(fields.entries()).toEqual([
    ['a', ' x '],
    ['c', ' '],
    ['d', '1'],
    ['d', '2'],
  ]);
});

it.each([
  ['2026-01-05T09:30', '2026-01-05T09:30:00.000Z'],
  ['2026-01-05T09:30:15', '2026-01-05T09:30:15.000Z'],
  ['2026-01-05', '2026-01-05T00:00:00.000Z'],
])('reads %s as an instant in UTC', (text, iso) => {
  expect(readFields(new URLSearchParams({ at: text })).instant('at')).toBe(Date.parse(iso));
});

it.each(['', 'yesterday', '2026-13-45T09:30', '2026-01-05T09:30Z', '5'])('%j is no instant', (text) => {
  expect(readFields(new URLSearchParams({ at: text })).instant('at')).toBeNull();
});

it('writes addresses without missing parameters', () => {
  expect(addressOf('/a', { b: 'x y&z', c: null })).toBe('/a?b=x+y%26z');
  expect(addressOf('/a', { c: null })).toBe('/a');
});
