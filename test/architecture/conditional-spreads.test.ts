/** Optional inputs accept `undefined`, so that no `...(note === undefined ? {} : { note })` is needed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { describe, expect, test } from 'vitest';
import { ROOT, sourcesOf } from './sources.js';

test.each(['core', 'cli', 'console'])('%s has no conditional spread of an object', (name) => {
  const files = sourcesOf(name);
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((file) =>
    conditionalSpreads(readFileSync(join(ROOT, file), 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

describe('a conditional spread', () => {
  test.each([
    'f({ ...(note === undefined ? {} : { note }) });',
    'f({ ...(isOn ? { note } : {}) });',
    'f({ ...(note && { note }) });',
    'f({ ...((await isOn()) ? ({} as const) : ({ note } as const)) });',
    'f(<Note {...(note === null ? {} : { note })} />);',
  ])('is found in: %s', (text) => {
    expect(conditionalSpreads(text)).toHaveLength(1);
  });

  test.each(['f({ ...(isOn ? a : b) });', 'f({ ...given });', 'f([...(isOn ? [] : [note])]);'])(
    'is not found in: %s',
    (text) => {
      expect(conditionalSpreads(text)).toEqual([]);
    },
  );
});

/** Returns the spreads of a file that add fields to an object or an element only sometimes. */
function conditionalSpreads(text: string): readonly string[] {
  if (!text.includes('...') || !/\{\}|&&/.test(text)) return [];
  const file = ts.createSourceFile('a.tsx', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isSpread = ts.isSpreadAssignment(node) || ts.isJsxSpreadAttribute(node);
    if (isSpread && isConditional(node.expression)) found.push(node.getText(file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isConditional(spread: ts.Expression): boolean {
  const bare = withoutWrapping(spread);
  if (ts.isConditionalExpression(bare)) return isEmpty(bare.whenTrue) || isEmpty(bare.whenFalse);
  return ts.isBinaryExpression(bare) && bare.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
}

function isEmpty(value: ts.Expression): boolean {
  const bare = withoutWrapping(value);
  return ts.isObjectLiteralExpression(bare) && bare.properties.length === 0;
}

function withoutWrapping(value: ts.Expression): ts.Expression {
  const isWrapped = ts.isParenthesizedExpression(value) || ts.isAsExpression(value);
  return isWrapped ? withoutWrapping(value.expression) : value;
}
