/** The decisions are short, the index lists them all, and every number that code, tests and docs cite exists. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listPages, ROOT, readPage } from './fences.js';

const MAX_WORDS = 100;
const INDEX = 'docs/decisions/README.md';

interface Decision {
  readonly number: number;
  readonly page: string;
  readonly text: string;
}

const DECISIONS = listPages()
  .filter((page) => page.startsWith('docs/decisions/') && page !== INDEX)
  .flatMap(decisionsOf);

function decisionsOf(page: string): readonly Decision[] {
  return readPage(page)
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ number: Number.parseInt(text, 10), page, text: text.slice(text.indexOf('\n')) }));
}

/** Counts words; the rules and bars of a table are not words. */
const countWords = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Returns the numbers that a text cites, as in "decision 7" or "decisions 17 to 19 and 30". */
function citationsIn(text: string): readonly number[] {
  const citations = text.matchAll(/\bdecisions?\s+(\d+(?:(?:,| and| to)\s+\d+)*)/gi);
  return [...citations].flatMap(([, list = '']) => [...list.matchAll(/\d+/g)].map(Number));
}

/** Returns the paths of all source and test files, from the root. */
const listSources = () =>
  ['packages', 'test', 'examples'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.m?ts$/.test(path) && !/(^|[\\/])(node_modules|dist)[\\/]/.test(path))
      .map((path) => join(folder, path)),
  );

test.each(DECISIONS)(`decision $number has at most ${MAX_WORDS} words`, ({ text }) => {
  expect(countWords(text)).toBeLessThanOrEqual(MAX_WORDS);
});

test.each(DECISIONS)('decision $number says what we chose, why, and the cost', ({ text }) => {
  expect([...text.matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, part]) => part)).toEqual([
    'Chosen',
    'Reason',
    'Cost',
  ]);
});

test('every decision has a number of its own, and the index lists it', () => {
  const numbers = DECISIONS.map(({ number }) => number);
  const listed = [...readPage(INDEX).matchAll(/\.md#(\d+)-/g)].map(([, number]) => Number(number));
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(listed.sort()).toEqual(numbers.sort());
});

test('every cited decision exists', () => {
  const numbers = new Set(DECISIONS.map(({ number }) => number));
  const missing = [...listSources(), ...listPages()].flatMap((file) =>
    citationsIn(readFileSync(join(ROOT, file), 'utf8'))
      .filter((number) => !numbers.has(number))
      .map((number) => `${file} cites decision ${number}`),
  );
  expect(missing).toEqual([]);
});

test('a citation may name several numbers', () => {
  const words = ['decision', 'decisions'];
  expect(citationsIn(`${words[0]} 7, ${words[1]} 17 to 19 and\n30, and 5 more`)).toEqual([7, 17, 19, 30]);
});
