/** A reader who meets a name finds one definition of it, whatever the package. */
import { expect, test } from 'vitest';
import { isExported, sharedNamesIn, textsOfSources } from './names.js';

/** Each storage offers it to its hosts. */
const OF_BOTH_STORAGES = ['writeMigrationSql'];

test('a name that other files import is defined in one file', () => {
  const texts = textsOfSources();
  expect(texts.length).toBeGreaterThan(800);
  expect(sharedNamesIn(texts, isExported)).toEqual(OF_BOTH_STORAGES);
});

test('a name is shared if two files define it at the top, as whatever', () => {
  const one = 'const a = 1; function b() { const g = 1; } class c {} interface D {} type E = 1; let f = 2;';
  const other =
    'export type a = 1; export const b = 1, c = 2; function D() {} class E {} interface f {} const g = 1;';
  expect(sharedNamesIn([one, other])).toEqual(['D', 'E', 'a', 'b', 'c', 'f']);
  expect(sharedNamesIn([one])).toEqual([]);
  expect(sharedNamesIn(['function a(): 1; function a() {}'])).toEqual([]);
  expect(
    sharedNamesIn(['export const a = 1; const b = 1;', 'export type a = 1; const b = 2;'], isExported),
  ).toEqual(['a']);
});
