import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { describe, expect, test } from 'vitest';
import { openPublicSurface, publishedPackages } from './published.js';
import { ROOT, sourcesOf } from './sources.js';

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

  test('exports by name: `export *` only as types, from the ports', () => {
    const stars = source(entry)
      .statements.filter(ts.isExportDeclaration)
      .filter(({ exportClause }) => exportClause === undefined || ts.isNamespaceExport(exportClause));
    const allowed = entry === join('packages', 'core', 'src', 'ports', 'index.ts');
    expect(stars.filter(({ isTypeOnly }) => !(allowed && isTypeOnly)).map((star) => star.getText())).toEqual(
      [],
    );
  });
});

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
