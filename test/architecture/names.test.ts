/** A reader who meets a name finds one definition of it, whatever the package. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { ROOT, sourcesOf } from './sources.js';

const PACKAGES = ['core', 'console', 'cli', 'storage-kysely', 'sqlite', 'postgres'];

/** The names that several files define, private ones included. Lower it when you share or rename one. */
const MOST_SHARED = 492;

test('at most the signed number of names is defined in several files', () => {
  const files = PACKAGES.flatMap(sourcesOf).filter((file) => !/\.(?:test|typecheck)\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(800);
  const shared = sharedNames(files.map((file) => readFileSync(join(ROOT, file), 'utf8')));
  expect(shared.length).toBeLessThanOrEqual(MOST_SHARED);
  // What was saved is no allowance for later.
  expect(shared.length).toBeGreaterThan(MOST_SHARED - 10);
});

/** Each storage offers it to its hosts. */
const OF_BOTH_STORAGES = ['writeMigrationSql'];

test('a name that other files import is defined in one file', () => {
  const files = PACKAGES.flatMap(sourcesOf).filter((file) => !/\.(?:test|typecheck)\.tsx?$/.test(file));
  const texts = files.map((file) => readFileSync(join(ROOT, file), 'utf8'));
  expect(sharedNames(texts, isExported)).toEqual(OF_BOTH_STORAGES);
});

test('a name is shared if two files define it at the top, as whatever', () => {
  const one = 'const a = 1; function b() { const g = 1; } class c {} interface D {} type E = 1; let f = 2;';
  const other =
    'export type a = 1; export const b = 1, c = 2; function D() {} class E {} interface f {} const g = 1;';
  expect(sharedNames([one, other])).toEqual(['D', 'E', 'a', 'b', 'c', 'f']);
  expect(sharedNames([one])).toEqual([]);
  expect(sharedNames(['function a(): 1; function a() {}'])).toEqual([]);
  expect(
    sharedNames(['export const a = 1; const b = 1;', 'export type a = 1; const b = 2;'], isExported),
  ).toEqual(['a']);
});

/** Returns the names that more than one of the programs defines in such statements, sorted. */
function sharedNames(
  texts: readonly string[],
  isMeant: (statement: ts.Statement) => boolean = () => true,
): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of texts.flatMap((text) => [...new Set(namesOf(text, isMeant))])) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([name]) => name)
    .sort();
}

function isExported(statement: ts.Statement): boolean {
  if (!ts.canHaveModifiers(statement)) return false;
  return ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function namesOf(text: string, isMeant: (statement: ts.Statement) => boolean): readonly string[] {
  const { statements } = ts.createSourceFile('a.tsx', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX);
  return statements.filter(isMeant).flatMap((statement) => {
    if (ts.isVariableStatement(statement)) {
      const { declarations } = statement.declarationList;
      return declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
    }
    const isNamed =
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement);
    return isNamed && statement.name !== undefined ? [statement.name.text] : [];
  });
}
