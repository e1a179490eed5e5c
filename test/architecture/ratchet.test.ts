/**
 * A folder grows only by a row of sizes.json, and the counts only by a signature in counts.json. What was saved is no
 * allowance for later.
 */
import { describe, expect, test } from 'vitest';
import {
  type Counts,
  complaintsAboutCounts,
  loweredCounts,
  measureCounts,
  readCounts,
} from '../tools/sizes/counts.js';
import { complaintsAbout, lowered, measureSizes, readSizes, rowsOf } from '../tools/sizes/sizes.js';

test('each folder has the size that sizes.json signs', () => {
  expect(complaintsAbout(measureSizes(), readSizes())).toEqual([]);
});

test('each count is the one that counts.json signs, and each verb of a command is signed there', () => {
  const measured = measureCounts();
  expect(measured.counts.commands).toBeGreaterThan(80);
  expect(measured.counts.sharedNames).toBeGreaterThan(100);
  expect(measured.verbs).toContain('find');
  expect(complaintsAboutCounts(measured, readCounts())).toEqual([]);
});

test('the rows are sums: packages and core have as many lines as their folders', () => {
  const sizes = measureSizes();
  const linesIn = (pattern: RegExp) =>
    Object.entries(sizes).reduce((sum, [name, { lines = 0 }]) => (pattern.test(name) ? sum + lines : sum), 0);
  expect(linesIn(/^packages\/[\w-]+$/)).toBe(sizes.packages?.lines);
  expect(linesIn(/^packages\/core\/src\//)).toBeLessThan(sizes['packages/core']?.lines ?? 0);
});

describe('a commit', () => {
  const rows = rowsOf({ test: { lines: 9_950, files: 95 } });

  test('that adds lines beyond the row fails, and its author signs them', () => {
    expect(rows).toEqual({ test: { lines: 10_000, files: 100 } });
    expect(complaintsAbout({ test: { lines: 10_000, files: 100 } }, rows)).toEqual([]);
    expect(complaintsAbout({ test: { lines: 10_001, files: 100 } }, rows)).toEqual([
      'test has 10001 lines, and 10000 are signed: edit its row in sizes.json, and say in the commit what they are for.',
    ]);
  });

  test('that leaves a folder more than 100 lines below its row fails, and `npm run sizes` mends it', () => {
    const smaller = { test: { lines: 9_899, files: 95 } };
    expect(complaintsAbout({ test: { lines: 9_900, files: 95 } }, rows)).toEqual([]);
    expect(complaintsAbout(smaller, rows)).toEqual([
      'test has 9899 lines, and 10000 are signed: run `npm run sizes`.',
    ]);
    expect(lowered(smaller, rows)).toEqual({ test: { lines: 9_900, files: 100 } });
    expect(complaintsAbout(smaller, lowered(smaller, rows))).toEqual([]);
  });

  test('cannot raise a row by `npm run sizes`', () => {
    expect(lowered({ test: { lines: 12_000, files: 95 } }, rows)).toEqual(rows);
  });

  test('that adds a folder gives it a row, and one that deletes a folder deletes the row', () => {
    expect(complaintsAbout({ docs: { words: 1, files: 1 } }, rows)).toEqual([
      'test does not exist: delete its row, by `npm run sizes`.',
      'docs has no row: add it, and say in the commit what it is for.',
    ]);
    expect(lowered({ docs: { words: 1, files: 1 } }, rows)).toEqual({});
  });
});

describe('a count', () => {
  const counts = { commands: 85, mentionsOfCommands: 800, namesOfCore: 380, sharedNames: 490 };
  const signed: Counts = { counts, verbs: ['find', 'list'] };

  test('that grows fails, and so does a new verb: both say how to sign', () => {
    const larger: Counts = { counts: { ...counts, commands: 86 }, verbs: ['add', 'find', 'list'] };
    expect(complaintsAboutCounts(larger, signed)).toEqual([
      'commands has grown to 86, and 85 are signed: run `npm run sizes -- --sign`, and say in the commit what it is for.',
      'The verb add is new: run `npm run sizes -- --sign`, and say in the commit what it is for.',
    ]);
    expect(loweredCounts(larger, signed)).toEqual(signed);
  });

  test('that falls is no allowance for later, and `npm run sizes` lowers it', () => {
    const smaller: Counts = { counts: { ...counts, commands: 84, sharedNames: 479 }, verbs: ['find'] };
    expect(complaintsAboutCounts(smaller, signed)).toEqual([
      'commands has fallen to 84, and 85 are signed: run `npm run sizes`.',
      'sharedNames has fallen to 479, and 490 are signed: run `npm run sizes`.',
      'No command starts with list: run `npm run sizes`.',
    ]);
    expect(loweredCounts(smaller, signed)).toEqual(smaller);
  });
});
