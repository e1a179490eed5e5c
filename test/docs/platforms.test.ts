/** Checks the pages of the platforms: their length, their links, and that each statement says how it was tested. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './fences.js';

const FOLDER = join(ROOT, 'docs/platforms');
const INDEX = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const PAGES = readdirSync(FOLDER).filter((name) => name !== 'README.md');
const MOST_WORDS = 200;

/** Returns the words of a text, without the targets of links. */
function wordsIn(text: string): number {
  return text
    .replace(/\]\([^)]*\)/g, ']')
    .split(/\s+/)
    .filter((word) => /\w/.test(word)).length;
}

test.each(PAGES)('%s is short, and each statement names its test or was not tested', (name) => {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  expect(wordsIn(text)).toBeLessThanOrEqual(MOST_WORDS);
  const statements = text.split(/^- /m).slice(1);
  expect(statements.length).toBeGreaterThan(4);
  for (const statement of statements) {
    expect(statement).toMatch(/\]\(\.\.\/\.\.\/[^)]+\.ts\)|[Nn]ot\s+tested|\.\.\/hardening\.md/);
  }
  expect(INDEX).toContain(`](${name})`);
});

test('the documentation and the README link to the platforms', () => {
  expect(readFileSync(join(ROOT, 'docs/README.md'), 'utf8')).toContain('(platforms/README.md)');
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain('(docs/platforms/README.md)');
});
