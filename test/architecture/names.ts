import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { ROOT, sourcesOf } from './sources.js';

const PACKAGES = ['core', 'console', 'cli', 'storage-kysely', 'sqlite', 'postgres'];

/** The sources whose names readers meet. */
export function textsOfSources(): readonly string[] {
  const files = PACKAGES.flatMap(sourcesOf).filter((file) => !/\.(?:test|typecheck)\.tsx?$/.test(file));
  return files.map((file) => readFileSync(join(ROOT, file), 'utf8'));
}

/** Returns the names that more than one of the programs defines in such statements, sorted. */
export function sharedNamesIn(
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

/** Whether a statement exports what it declares. */
export function isExported(statement: ts.Statement): boolean {
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
