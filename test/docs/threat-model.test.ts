/** Checks that each row of the threat model names tests that exist. */
import { existsSync, readFileSync } from 'node:fs';
import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { ROOT, readPage } from './fences.js';

/** Files that contain tests or conformance suites. */
const RUN = /\.test\.ts$|^packages\/conformance\/src\//;
const TELLING = /^(?:describe|it|tell|test)$/;

/** A test named by the page. */
interface Evidence {
  readonly title: string;
  readonly file: string;
}

/** Returns the rows of the tables with evidence, each with the tests that it names. */
function claims(): readonly (readonly [claim: string, evidence: readonly Evidence[]])[] {
  const tables = readPage('docs/threat-model.md').matchAll(/^\|.*\| Shown by \|\n\|[ |-]+\n((?:\|.*\n)+)/gm);
  const rows = [...tables].flatMap(([, text = '']) => text.trim().split('\n'));
  return rows.map((row) => {
    const [claim = '', , shownBy = ''] = row.split('|').slice(1, -1);
    const links = shownBy.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+\.ts)\)/g);
    return [claim.trim(), [...links].map(([, title = '', file = '']) => ({ title, file }))];
  });
}

/** Returns the titles of a file's tests and describes. An ellipsis replaces template expressions. */
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

/** Returns the called function: `it` of `it('…')` and of `it.each(rows)('…')`. */
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

/** Returns what is wrong. Null if the test exists and runs. */
function faultOf({ title, file }: Evidence): string | null {
  if (!existsSync(ROOT + file)) return `${file} does not exist.`;
  if (!RUN.test(file)) return `${file} contains no tests.`;
  return titlesOf(file).includes(title) ? null : `${file} has no test with the title "${title}".`;
}

test('each row of the threat model names tests that exist', () => {
  expect(claims().length).toBeGreaterThan(40);
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
])('reports %s', (_, evidence, fault) => {
  expect(faultOf(evidence)).toMatch(fault);
});

test('reads titles of tables and templates', () => {
  expect(titlesOf(SELF)).toContain('reports %s');
  expect(titlesOf('test/faults/abuse.test.ts')).toContain('hardly notice …');
});
