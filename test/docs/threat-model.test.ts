/** Every protection that the threat model claims names a test, and a test of that title exists. */
import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { ROOT, readPage } from './fences.js';

/** Tests, and suites that run for every storage and every server. */
const RUN = /\.test\.ts$|^packages\/conformance\/src\//;
const TELLING = /^(?:describe|it|tell|test)$/;

/** A test that the page names. */
interface Evidence {
  readonly title: string;
  readonly file: string;
}

/** The rows of the tables whose last column is evidence, each with the tests that it names. */
function claims(): readonly (readonly [claim: string, evidence: readonly Evidence[]])[] {
  const tables = readPage('docs/threat-model.md').matchAll(/^\|.*\| Shown by \|\n\|[ |-]+\n((?:\|.*\n)+)/gm);
  const rows = [...tables].flatMap(([, text = '']) => text.trim().split('\n'));
  return rows.map((row) => {
    const [claim = '', , shownBy = ''] = row.split('|').slice(1, -1);
    const links = shownBy.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+\.ts)\)/g);
    return [claim.trim(), [...links].map(([, title = '', file = '']) => ({ title, file }))];
  });
}

/** The titles of a file's tests and describes. An ellipsis stands for what a template puts in. */
function titlesOf(file: string): readonly string[] {
  const titles: string[] = [];
  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node) && TELLING.test(calledBy(node.expression))) {
      titles.push(...node.arguments.slice(0, 1).map(textOf));
    }
    ts.forEachChild(node, visit);
  }
  visit(ts.createSourceFile(file, readFileSync(ROOT + file, 'utf8'), ts.ScriptTarget.Latest));
  return titles;
}

/** What is called in the end: `it` of `it('…')`, and of `it.each(rows)('…')`. */
function calledBy(callee: ts.Expression): string {
  if (ts.isIdentifier(callee)) return callee.text;
  const goesOn = ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee);
  return goesOn ? calledBy(callee.expression) : '';
}

function textOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '';
  return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('…');
}

/** What is wrong with it. Null if the test exists and is run. */
function faultOf({ title, file }: Evidence): string | null {
  if (!existsSync(ROOT + file)) return `There is no ${file}.`;
  if (!RUN.test(file)) return `Nothing runs ${file}.`;
  return titlesOf(file).includes(title) ? null : `${file} has no test with the title "${title}".`;
}

test('each row of the threat model names tests that exist and are run', () => {
  expect(claims().length).toBeGreaterThan(40);
  for (const [claim, evidence] of claims()) {
    expect([claim, evidence.length > 0]).toEqual([claim, true]);
    expect([claim, ...evidence.map(faultOf).filter((fault) => fault !== null)]).toEqual([claim]);
  }
});

const SELF = 'test/docs/threat-model.test.ts';

test.each([
  ['a file that is gone', { title: 'x', file: 'test/docs/gone.test.ts' }, /There is no/],
  ['a file without tests', { title: 'x', file: 'test/docs/fences.ts' }, /Nothing runs/],
  ['a title that is gone', { title: 'is no title', file: SELF }, /has no test/],
  ['a text that is no title', { title: 'is called in the end', file: SELF }, /has no test/],
])('%s is found', (_, evidence, fault) => {
  expect(faultOf(evidence)).toMatch(fault);
});

test('titles of tables and templates are read', () => {
  expect(titlesOf(SELF)).toContain('%s is found');
  expect(titlesOf('test/faults/abuse.test.ts')).toContain('hardly notice …');
});
