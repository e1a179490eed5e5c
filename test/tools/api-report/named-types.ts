import ts from '@typescript/typescript6';

/** The declarations of one entry point, as the report of its package shows them. */
export interface ReportSection {
  /** The path that a user imports, or what the section has instead. */
  readonly path: string;
  readonly declarations: readonly ts.Statement[];
}

/** Reads a report. */
export function sectionsOf(report: string): readonly ReportSection[] {
  const found = report.matchAll(/^## `?([^`\n]+)`?\n\n(?:Also here, .+\n\n)*```ts\n([\s\S]*?)\n```$/gm);
  return [...found].map(([, path = '', code = '']) => {
    const { statements } = ts.createSourceFile('report.ts', code, ts.ScriptTarget.Latest, true);
    return { path, declarations: statements };
  });
}

/** The names that a section declares. */
export function namesOf({ declarations }: ReportSection): readonly string[] {
  return declarations.map(nameOf);
}

/** The name that a declaration of a report gives. */
export function nameOf(declaration: ts.Statement): string {
  const named = ts.isVariableStatement(declaration)
    ? declaration.declarationList.declarations[0]
    : (declaration as ts.DeclarationStatement);
  return named?.name?.getText() ?? '';
}

/** The types and constants that a declaration names, without its own type parameters. */
export function namedBy(declaration: ts.Node): ReadonlySet<string> {
  const named = new Set<string>();
  const own = new Set<string>();
  visit(declaration);
  return new Set([...named].filter((name) => !own.has(name)));

  function visit(node: ts.Node): void {
    if (ts.isTypeParameterDeclaration(node)) own.add(node.name.text);
    const name = nameIn(node);
    if (name !== null) named.add(name);
    ts.forEachChild(node, visit);
  }
}

/** Of `Intl.Locale`, the name is `Intl`. */
function nameIn(node: ts.Node): string | null {
  if (ts.isTypeReferenceNode(node)) return /^\w+/.exec(node.typeName.getText())?.[0] ?? null;
  if (ts.isTypeQueryNode(node)) return /^\w+/.exec(node.exprName.getText())?.[0] ?? null;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression.getText();
  return null;
}
