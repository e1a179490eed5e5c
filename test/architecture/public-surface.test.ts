import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { describe, expect, test } from 'vitest';
import { openPublicSurface, publishedPackages } from './published.js';
import { declaredExportsOf, filesInGit, ROOT, sourcesOf } from './sources.js';

const { checker, exportsOf, source } = openPublicSurface();

/** The entry points of the packages that are published. */
const ENTRIES = publishedPackages().flatMap(({ entries }) => [...entries.values()]);

/** Whether a declaration of the symbol carries a TSDoc block that says something. */
function isDocumented(symbol: ts.Symbol): boolean {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim().length > 0;
}

describe.each(ENTRIES)('%s', (entry) => {
  test('exports something', () => {
    expect(exportsOf(entry).length).toBeGreaterThan(0);
  });

  test('says in a TSDoc block what each of its exports means', () => {
    const silent = exportsOf(entry).filter((symbol) => !isDocumented(symbol));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test('exports by name, without `export *` and `export type *`', () => {
    const stars = source(entry)
      .statements.filter(ts.isExportDeclaration)
      .filter(({ exportClause }) => exportClause === undefined || ts.isNamespaceExport(exportClause));
    expect(stars.map((star) => star.getText())).toEqual([]);
  });
});

describe('core/ports', () => {
  const ports = exportsOf('packages/core/src/ports/index.ts').map(({ name }) => name);

  test('exports only what a storage imports', () => {
    const needed = new Set(
      ['storage-kysely', 'sqlite', 'postgres'].flatMap(sourcesOf).flatMap(namesFromPorts),
    );
    expect(ports.filter((name) => !needed.has(name))).toEqual([]);
  });

  test('is imported by no example and no program of the docs', () => {
    const files = ['examples', 'docs', 'README.md']
      .flatMap((path) => filesIn(path))
      .filter((file) => /\.(tsx?|mts|md)$/.test(file));
    const importing = files.filter((file) => IMPORTS_PORTS.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(files.length).toBeGreaterThan(50);
    expect(importing).toEqual([]);
  });

  test.each([
    ["import type { Storage } from '@partner-hiring/core/ports';", true],
    ["import type { Storage } from '@partner-hiring/core';", false],
    ['A storage implements `Storage` of `@partner-hiring/core/ports`.', false],
  ])('an import is found where there is one: %s', (text, found) => {
    expect(IMPORTS_PORTS.test(text)).toBe(found);
  });
});

test('core exports each id of the domain', () => {
  const exported = new Set(exportsOf('packages/core/src/index.ts').map(({ name }) => name));
  const ids = declaredExportsOf('packages/core/src/domain/ids.ts').filter((name) => name.endsWith('Id'));
  expect(ids).toContain('ApplicationId');
  expect(ids.filter((id) => !exported.has(id))).toEqual([]);
});

const IMPORTS_PORTS = /from ['"]@partner-hiring\/core\/ports['"]/;

/** The names that a file imports from `core/ports`. */
function namesFromPorts(file: string): readonly string[] {
  const parsed = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest);
  return parsed.statements.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier }) => {
    const bindings = importClause?.namedBindings;
    const isPorts =
      ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === '@partner-hiring/core/ports';
    if (!isPorts || bindings === undefined || !ts.isNamedImports(bindings)) return [];
    return bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
  });
}

test('no file exports all types of another one with `export type *`', () => {
  const files = filesInGit('*.ts', '*.tsx', '*.mts', '*.cts');
  const star = /^export type \*/m;
  expect(star.test("export type * from './ids.js';")).toBe(true);
  expect(files.filter((file) => star.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

/** The files of the project in a folder or at a path, from the project's root. */
function filesIn(path: string): readonly string[] {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.includes('node_modules'))
    .map((file) => join(path, file));
}

test('no source says any, asserts that something is not null, or has an enum', () => {
  const found = readdirSync(join(ROOT, 'packages'))
    .filter((name) => existsSync(join(ROOT, 'packages', name, 'src')))
    .flatMap((name) => sourcesOf(name))
    .flatMap((file) => looseIn(file, readFileSync(join(ROOT, file), 'utf8')));
  expect(found).toEqual([]);
});

test.each(['let a: any', 'f<any>()', 'const b = a!', 'enum C { D }', 'const e = x as any'])(
  '%s would be found',
  (text) => {
    expect(looseIn('a.ts', text)).toHaveLength(1);
  },
);

function looseIn(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  visit(source);
  return found;

  function visit(node: ts.Node): void {
    const { kind } = node;
    if (
      kind === ts.SyntaxKind.AnyKeyword ||
      kind === ts.SyntaxKind.NonNullExpression ||
      kind === ts.SyntaxKind.EnumDeclaration
    ) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${file}:${line + 1} ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  }
}
