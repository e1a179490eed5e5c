/** A literal inside another one only packs lines: its fields or items stand beside the others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { describe, expect, test } from 'vitest';
import { filesInGit, ROOT } from './sources.js';

/** A fenced block of code in a page. */
const BLOCK = /```(?:ts|tsx|js)\n([\s\S]*?)```/g;

test('no source, test or page packs lines into a literal', () => {
  const files = filesInGit('*.ts', '*.tsx', '*.mts', '*.cts', '*.js', '*.mjs', '*.cjs', '*.md');
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const programs = file.endsWith('.md') ? [...text.matchAll(BLOCK)].map(([, code]) => code ?? '') : [text];
    return programs.flatMap(packedLiterals).map((literal) => `${file}: ${literal}`);
  });
  expect(found).toEqual([]);
});

describe('a packed literal', () => {
  test.each(['f({ a, ...{ b, c } });', 'const all = [a, ...[b, c]];', 'f(a, ...[b, c]);'])(
    'is found in: %s',
    (text) => {
      expect(packedLiterals(text)).toHaveLength(1);
    },
  );

  test.each(['f({ a, ...b });', 'f({ ...(a ? [1] : []) });', 'f({ ...({ a } satisfies A) });'])(
    'is not found in: %s',
    (text) => {
      expect(packedLiterals(text)).toEqual([]);
    },
  );
});

/** Returns the spread literals of a program. */
function packedLiterals(text: string): readonly string[] {
  if (!/\.\.\.\s*[{[]/.test(text)) return [];
  const file = ts.createSourceFile('a.tsx', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isPacked(node)) found.push(node.getText(file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isPacked(node: ts.Node): boolean {
  if (ts.isSpreadAssignment(node)) return ts.isObjectLiteralExpression(node.expression);
  return ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression);
}
