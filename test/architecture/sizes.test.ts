/** A file has one purpose, and at most 300 lines. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { describe, expect, test } from 'vitest';
import { filesInGit, ROOT } from './sources.js';

const MAX_LINES = 300;

test('no file of code has more than 300 lines', () => {
  const files = filesInGit('*.ts', '*.tsx', '*.mts', '*.cts', '*.js', '*.mjs', '*.cjs', '*.sql');
  expect(files.length).toBeGreaterThan(1_000);
  const long = files
    .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const)
    .filter(([file, text]) => lengthOf(text) > MAX_LINES && !onlyNames(file, text))
    .map(([file, text]) => `${file}: ${lengthOf(text)} lines`);
  expect(long).toEqual([]);
});

describe('a file of names', () => {
  test.each([
    ["export { a } from './a.js';\nexport type { B } from './b.js';", true],
    ["export { a } from './a.js';\nexport const b = 1;", false],
    ["export * from './a.js';", false],
    ['', false],
  ])('exports what others define, and has no code: %j', (text, expected) => {
    expect(onlyNames('a.ts', text)).toBe(expected);
  });
});

function lengthOf(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}

/** Whether a file has nothing but names that it exports from other files. An entry point must list all of its names. */
function onlyNames(file: string, text: string): boolean {
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  return statements.length > 0 && statements.every(exportsByName);
}

function exportsByName(statement: ts.Statement): boolean {
  return (
    ts.isExportDeclaration(statement) &&
    statement.moduleSpecifier !== undefined &&
    statement.exportClause !== undefined &&
    ts.isNamedExports(statement.exportClause)
  );
}
