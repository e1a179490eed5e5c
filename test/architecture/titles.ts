import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { ROOT } from './sources.js';

/** What has a title, by the function that takes it. The title of a page's story is the page. */
const KINDS: Readonly<Record<string, Title['kind']>> = {
  describe: 'suite',
  it: 'test',
  test: 'test',
  tell: 'page',
};
/** What may stand between `it` and its title. */
const VARIANTS: readonly string[] = ['concurrent', 'each', 'runIf', 'sequential', 'skipIf'];

/** A title in a file, with the titles of the suites around it. */
export interface Title {
  readonly text: string;
  readonly suites: readonly string[];
  readonly kind: 'suite' | 'test' | 'page';
}

/** Returns the titles of a file's tests and suites. An ellipsis replaces template expressions. */
export function titlesOf(file: string): readonly Title[] {
  const titles: Title[] = [];
  const visit =
    (suites: readonly string[]) =>
    (node: ts.Node): void => {
      const kind = ts.isCallExpression(node) ? KINDS[calledBy(node.expression)] : undefined;
      if (!ts.isCallExpression(node) || kind === undefined) {
        ts.forEachChild(node, visit(suites));
        return;
      }
      const text = textOf(node.arguments[0]);
      if (text !== '') titles.push({ text, suites, kind });
      if (kind === 'suite') ts.forEachChild(node, visit([...suites, text]));
    };
  const source = readFileSync(join(ROOT, file), 'utf8');
  ts.forEachChild(ts.createSourceFile(file, source, ts.ScriptTarget.Latest), visit([]));
  return titles;
}

/** Returns the called function: `it` of `it('…')` and of `it.each(rows)('…')`. */
function calledBy(callee: ts.Expression): string {
  if (ts.isIdentifier(callee)) return callee.text;
  if (ts.isPropertyAccessExpression(callee))
    return VARIANTS.includes(callee.name.text) ? calledBy(callee.expression) : '';
  return ts.isCallExpression(callee) ? calledBy(callee.expression) : '';
}

function textOf(node: ts.Expression | undefined): string {
  if (node === undefined) return '';
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '';
  return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('…');
}
