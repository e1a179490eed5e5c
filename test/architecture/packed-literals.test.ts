/**
 * A literal inside another one only packs lines: its fields or items stand beside the others. A literal that is taken apart at
 * once packs statements: each value has its own.
 */
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

test('no source of a package takes a literal apart at once', () => {
  const files = filesInGit('packages/*/src/*.ts', 'packages/*/src/*.tsx').filter(
    (file) => !/\.(?:test|typecheck)\.tsx?$/.test(file),
  );
  expect(files.length).toBeGreaterThan(800);
  const found = files.flatMap((file) => {
    const taken = literalsTakenApart(readFileSync(join(ROOT, file), 'utf8'));
    return taken.map((literal) => `${file}: ${literal}`);
  });
  expect(found).toEqual([]);
});

describe('a literal that is taken apart at once', () => {
  test.each([
    'const [a, b] = [c, d];',
    'const [a, b]: [A, B] = [c, d] as const;',
    'let { a, b } = { a: c, b: d };',
    '[a, b] = [c, d];',
    '({ a, b } = { a: c, b: d });',
    'f({ a, b }.a);',
  ])('is found in: %s', (text) => {
    expect(literalsTakenApart(text)).toHaveLength(1);
  });

  test.each([
    'const [a, b] = c;',
    'const [a, ...b] = [...c, ...d];',
    'const { a, ...b } = { ...c, d };',
    'const a = [b, c];',
    '[a, b] = [b, a];',
    'f({ a: b }[c]);',
  ])('is not found in: %s', (text) => {
    expect(literalsTakenApart(text)).toEqual([]);
  });
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
  return /\.\.\.\s*[{[]/.test(text) ? nodesOf(text, isPacked) : [];
}

/** Returns what takes a literal apart, except a literal of unknown length and an exchange of two values. */
function literalsTakenApart(text: string): readonly string[] {
  return nodesOf(text, (node) => {
    if (ts.isPropertyAccessExpression(node)) return ts.isObjectLiteralExpression(unwrapped(node.expression));
    if (ts.isVariableDeclaration(node) && !ts.isIdentifier(node.name)) {
      return node.initializer !== undefined && isFixed(unwrapped(node.initializer));
    }
    if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return false;
    return isFixed(node.left) && isFixed(unwrapped(node.right)) && !isExchange(node);
  });
}

function nodesOf(text: string, isFound: (node: ts.Node) => boolean): readonly string[] {
  const file = ts.createSourceFile('a.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isFound(node)) found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The expression inside parentheses and assertions of a type. */
function unwrapped(node: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node);
  return isWrapped ? unwrapped(node.expression) : node;
}

function isFixed(node: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(node)) return !node.elements.some(ts.isSpreadElement);
  return ts.isObjectLiteralExpression(node) && !node.properties.some(ts.isSpreadAssignment);
}

/** `[a, b] = [b, a]` */
function isExchange({ left, right }: ts.BinaryExpression): boolean {
  const itemsOf = (node: ts.Expression) =>
    ts.isArrayLiteralExpression(node) ? node.elements.map((item) => item.getText()) : [node.getText()];
  return itemsOf(left).reverse().join() === itemsOf(unwrapped(right)).join();
}

function isPacked(node: ts.Node): boolean {
  if (ts.isSpreadAssignment(node)) return ts.isObjectLiteralExpression(node.expression);
  return ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression);
}
