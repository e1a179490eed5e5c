import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from '@typescript/typescript6';

/** The project's root folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** One module that another names, by `import`, `export … from`, `import()` or `import('…')` in a type. */
export interface Import {
  /** The importing file from the project's root, e.g. `packages/core/src/domain/job.ts`. */
  readonly from: string;
  /** What it imports: a file from the root where the specifier is relative, else the specifier. */
  readonly to: string;
  /** Whether it is gone at run time. */
  readonly typeOnly: boolean;
}

/** The files in git that match a pattern, from the project's root. */
export function filesInGit(...patterns: readonly string[]): readonly string[] {
  return execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(ROOT, file)));
}

/** The sources of a package, tests left out, from the project's root. */
export function sourcesOf(packageName: string): readonly string[] {
  const folder = join(ROOT, 'packages', packageName, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
    .map((path) => slashed(relative(ROOT, join(folder, path))))
    .sort();
}

/** The names that a file declares and exports. */
export function declaredExportsOf(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const declared = text.matchAll(/^export (?:async )?(?:const|function|interface|type|class) (\w+)/gm);
  return [...declared].flatMap(([, name]) => name ?? []);
}

const known = new Map<string, readonly Import[]>();

/** The imports of a file. */
export function importsOf(file: string): readonly Import[] {
  const found = known.get(file) ?? importsIn(file, readFileSync(join(ROOT, file), 'utf8'));
  known.set(file, found);
  return found;
}

/** The imports that a text has, were it this file. */
export function importsIn(file: string, text: string): readonly Import[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: Import[] = [];
  visit(source);
  return found;

  function visit(node: ts.Node): void {
    const named = moduleNamedBy(node);
    if (named !== null)
      found.push({ from: file, to: resolve(file, named.specifier), typeOnly: named.typeOnly });
    ts.forEachChild(node, visit);
  }
}

interface NamedModule {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

function moduleNamedBy(node: ts.Node): NamedModule | null {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, typeOnly: isTypeOnlyImport(node.importClause) };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, typeOnly: isTypeOnlyExport(node) };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const { literal } = node.argument;
    return ts.isStringLiteral(literal) ? { specifier: literal.text, typeOnly: true } : null;
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const argument = node.arguments[0];
    const specifier = argument && ts.isStringLiteral(argument) ? argument.text : 'computed';
    return { specifier, typeOnly: false };
  }
  return null;
}

function isTypeOnlyImport(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const { name, namedBindings } = clause;
  if (name !== undefined || namedBindings === undefined || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.length > 0 && namedBindings.elements.every((element) => element.isTypeOnly);
}

function isTypeOnlyExport(node: ts.ExportDeclaration): boolean {
  if (node.isTypeOnly) return true;
  const { exportClause } = node;
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) return false;
  return exportClause.elements.length > 0 && exportClause.elements.every((element) => element.isTypeOnly);
}

function resolve(from: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const file = slashed(join(dirname(from), specifier)).replace(/\.js$/, '.ts');
  const withJsx = file.replace(/\.ts$/, '.tsx');
  return existsSync(join(ROOT, withJsx)) ? withJsx : file;
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
