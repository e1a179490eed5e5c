/** Checks that each attack of the threat model names tests that exist. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { titlesOf } from '../architecture/titles.js';
import { ROOT, readPage } from './fences.js';

/** Files that contain tests or conformance suites. */
const RUN = /\.test\.ts$|^test\/conformance\/suite\//;

/** A test named by the page. */
interface Evidence {
  readonly title: string;
  readonly file: string;
}

/** Returns the lines with attacks, each with the tests that it names. */
function claims(): readonly (readonly [claim: string, evidence: readonly Evidence[]])[] {
  const [, attacks = ''] = readPage('docs/threat-model.md').split(/^(?=## A stranger)(.*)^## What is left/ms);
  return [...attacks.matchAll(/^- \*\*(.+?)\*\*: (.*)$/gm)].map(([, claim = '', rest = '']) => {
    const links = rest.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+\.ts)\)/g);
    return [claim, [...links].map(([, title = '', file = '']) => ({ title, file }))];
  });
}

/** Returns what is wrong. Null if the test exists and runs. */
function faultOf({ title, file }: Evidence): string | null {
  if (!existsSync(ROOT + file)) return `${file} does not exist.`;
  if (!RUN.test(file)) return `${file} contains no tests.`;
  const isThere = titlesOf(file).some(({ text }) => text === title);
  return isThere ? null : `${file} has no test with the title "${title}".`;
}

test('each attack of the threat model names tests that exist', () => {
  expect(claims().length).toBeGreaterThan(150);
  for (const [claim, evidence] of claims()) {
    expect([claim, evidence.length > 0]).toEqual([claim, true]);
    expect([claim, ...evidence.map(faultOf).filter((fault) => fault !== null)]).toEqual([claim]);
  }
});

const SELF = 'test/docs/threat-model.test.ts';

test.each([
  ['a missing file', { title: 'x', file: 'test/docs/gone.test.ts' }, /does not exist/],
  ['a file without tests', { title: 'x', file: 'test/docs/fences.ts' }, /contains no tests/],
  ['a missing title', { title: 'is no title', file: SELF }, /has no test/],
  ['a text that is not a title', { title: 'contains no tests', file: SELF }, /has no test/],
])('the check reports %s', (_, evidence, fault) => {
  expect(faultOf(evidence)).toMatch(fault);
});

test('reads titles of tables and templates', () => {
  const textsOf = (file: string) => titlesOf(file).map(({ text }) => text);
  expect(textsOf(SELF)).toContain('the check reports %s');
  expect(textsOf('test/faults/abuse.test.ts')).toContain('hardly notice …');
});
