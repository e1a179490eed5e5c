/** Each cited rule of `docs/contract.md` exists, and nothing cites a document that readers cannot open. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesInGit, ROOT } from './sources.js';

const PAGE = 'docs/contract.md';
const CITATION = /\bcontract:?\s(\d+(?:\.\d+)?(?:(?:,| to| and)\s\d+(?:\.\d+)?)*)/gi;
/** Split, so that this file is not found. */
const UNREADABLE = /\bSpec[:]|\bspecificatio[n]s?\b/gi;

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Returns the numbers of the sections and of their rules, in order. */
function numbersOf(page: string): readonly string[] {
  return [...page.matchAll(/^(?:## (?=\d+\. )|\*\*)(\d+(?:\.\d+)?)/gm)].map(([, number = '']) => number);
}

/** Returns the numbers that a text cites. A citation may continue on the next line of a comment. */
function citedIn(text: string): readonly string[] {
  const lines = text.replaceAll(/\s*\n\s*(?:\*\s|\/\/\s)?\s*/g, ' ');
  return [...lines.matchAll(CITATION)].flatMap(([, list = '']) => list.match(/\d+(?:\.\d+)?/g) ?? []);
}

const NUMBERS = numbersOf(read(PAGE));
const FILES = filesInGit('*.ts', '*.tsx', '*.mjs', '*.js', '*.sql', '*.md');

test('each rule of the contract has a number of its own, in the order of its section', () => {
  const sections = NUMBERS.filter((number) => !number.includes('.'));
  expect(sections.length).toBeGreaterThan(10);
  expect(NUMBERS).toEqual([...new Set(NUMBERS)]);
  for (const section of sections) {
    const rules = NUMBERS.filter((number) => number.startsWith(`${section}.`));
    const at = NUMBERS.indexOf(section);
    expect(NUMBERS.slice(at + 1, at + 1 + rules.length)).toEqual(rules);
    expect(rules).toEqual(rules.toSorted((a, b) => Number(a.split('.')[1]) - Number(b.split('.')[1])));
  }
});

test('every cited rule of the contract exists', () => {
  const known = new Set(NUMBERS);
  const cited = FILES.flatMap((file) => citedIn(read(file)).map((number) => ({ file, number })));
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter(({ number }) => !known.has(number))).toEqual([]);
});

test('nothing cites a document that is not in the repository', () => {
  const found = FILES.flatMap((file) => (read(file).match(UNREADABLE) ?? []).map((text) => ({ file, text })));
  expect(found).toEqual([]);
});

test('a citation may name several rules, also over two lines', () => {
  const word = 'Contract';
  const comment = `/**\n * It ends. ${word}:\n * 12.5, 12.6 and 12.9.\n */ // ${word}: 7.\n(${word.toLowerCase()} 8.6)`;
  expect(citedIn(comment)).toEqual(['12.5', '12.6', '12.9', '7', '8.6']);
});
