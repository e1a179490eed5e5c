import ts from '@typescript/typescript6';
import type { PublicSurface, PublishedPackage } from '../../architecture/published.js';
import { namedBy } from './named-types.js';

/** Where the report of a package is, from the project's root. */
export function reportFileOf({ folder }: PublishedPackage): string {
  return `${folder}/api-report.md`;
}

/**
 * Returns the public declarations of a package as Markdown: without bodies, each once, with the first sentence of each
 * doc comment, the one that says the default, the errors and the right. A change of the public surface is then a changed
 * line of this file.
 * @param rights - what to say of the right that a method needs, by its declaration.
 */
export function apiReport(
  published: PublishedPackage,
  surface: PublicSurface,
  rights: Rights = new Map(),
): string {
  const view = { ...surface, rights };
  const shown = new Map<ts.Symbol, string>();
  const sections = [...published.entries].map(([path, entry]) => {
    const symbols = surface.exportsOf(entry);
    const own = symbols.filter((symbol) => !shown.has(symbol));
    const also = symbols.filter((symbol) => shown.has(symbol));
    for (const symbol of own) shown.set(symbol, path);
    return `## \`${path}\`\n\n${referencesTo(also, shown)}${fenceOf(own, view)}`;
  });
  const named = withoutExport(published, view, [...shown.keys()]);
  if (named.length > 0) sections.push(`## ${WITHOUT_EXPORT}\n\n${fenceOf(named, view)}`);
  return `# Public API of ${published.name}\n\nWritten by \`npm run api-report\`; a test compares it with the sources.\n\n${sections.join('\n')}`;
}

type Rights = ReadonlyMap<ts.Declaration, string>;

interface View extends PublicSurface {
  readonly rights: Rights;
}

/** The section of the types that the declarations above name, and that a user cannot import. */
export const WITHOUT_EXPORT = 'Named above, without an export';

function fenceOf(symbols: readonly ts.Symbol[], view: View): string {
  const texts = symbols.map((symbol) => declarationOf(symbol, view));
  return texts.length === 0 ? '' : `\`\`\`ts\n${texts.sort(byDeclaration).join('\n\n')}\n\`\`\`\n`;
}

/** Sorts by the declarations, not by their comments. */
function byDeclaration(one: string, other: string): number {
  const [a = '', b = ''] = [one, other].map((text) => text.replace(LEADING_COMMENT, ''));
  return a < b ? -1 : 1;
}

const LEADING_COMMENT = /^\/\*\*[\s\S]*?\*\/\n/;

/** Names the exports of an entry point that another one has too. */
function referencesTo(symbols: readonly ts.Symbol[], shown: ReadonlyMap<ts.Symbol, string>): string {
  const paths = [...new Set(symbols.map((symbol) => shown.get(symbol) ?? ''))];
  return paths
    .map((path) => {
      const names = symbols.filter((symbol) => shown.get(symbol) === path).map(({ name }) => `\`${name}\``);
      return `Also here, from \`${path}\`: ${names.sort().join(', ')}.\n\n`;
    })
    .join('');
}

/** The declarations of the package that its exports name, directly or through others, without being exported. */
function withoutExport(
  { folder }: PublishedPackage,
  view: View,
  exported: readonly ts.Symbol[],
): readonly ts.Symbol[] {
  const names = new Set(exported.map(({ name }) => name));
  const found = new Set(exported);
  // A set visits what is added while it is read.
  for (const symbol of found) {
    const text = declarationOf(symbol, view);
    const named = namedBy(ts.createSourceFile('named.ts', text, ts.ScriptTarget.Latest, true));
    for (const name of named) {
      const other = names.has(name) ? null : view.declared(folder, name);
      if (other !== null) found.add(other);
    }
  }
  return [...found].slice(exported.length);
}

const printer = ts.createPrinter();

function declarationOf(symbol: ts.Symbol, view: View): string {
  const declarations = symbol.declarations ?? [];
  if (declarations.length === 0) throw new Error(`${symbol.name} has no declaration.`);
  const texts = new Set(declarations.map((declaration) => textOf(symbol, declaration, view)));
  const comment = commentOf(symbol, view);
  return `${comment && `/*${comment}*/\n`}${[...texts].join('\n')}`;
}

function textOf(symbol: ts.Symbol, declaration: ts.Declaration, view: View): string {
  const { checker } = view;
  if (ts.isVariableDeclaration(declaration) || ts.isFunctionDeclaration(declaration)) {
    const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
    return `const ${symbol.name}: ${checker.typeToString(type, declaration, TYPE_FORMAT)};`;
  }
  if (ts.isTypeAliasDeclaration(declaration) && isComputed(declaration.type)) {
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    const textOfType = (each: ts.Type) =>
      checker.typeToString(each, declaration, TYPE_FORMAT | ts.TypeFormatFlags.InTypeAlias);
    // The compiler's order depends on other files.
    const values = type.isUnion() ? type.types.map(textOfType).sort().join(' | ') : textOfType(type);
    const parameters = (declaration.typeParameters ?? []).map((each) => each.getText()).join(', ');
    return `type ${symbol.name}${parameters && `<${parameters}>`} = ${values};`;
  }
  const shown = ts.isClassDeclaration(declaration) ? withoutBodies(declaration) : declaration;
  const { transformed } = ts.transform<ts.Node>(shown, [withShortComments(view)]);
  const text = printer.printNode(
    ts.EmitHint.Unspecified,
    transformed[0] ?? shown,
    declaration.getSourceFile(),
  );
  return text.replace(/^export /, '');
}

/**
 * Whether a type is made from a constant or from another type's keys, such as `(typeof KINDS)[number]`. The report then shows
 * its values.
 */
function isComputed(type: ts.TypeNode): boolean {
  return ts.isIndexedAccessTypeNode(type) || hasQuery(type);
}

function hasQuery(node: ts.Node): boolean {
  return ts.isTypeQueryNode(node) || ts.forEachChild(node, hasQuery) === true;
}

/** Replaces each member's comments by a short one. */
function withShortComments(view: View): ts.TransformerFactory<ts.Node> {
  return (context) => {
    const visit = (node: ts.Node): ts.Node => {
      const shown = ts.setEmitFlags(ts.visitEachChild(node, visit, context), ts.EmitFlags.NoComments);
      if (!isMember(node)) return shown;
      const text = commentOf(view.checker.getSymbolAtLocation(node.name), view);
      return ts.setSyntheticLeadingComments(shown, text === '' ? undefined : [synthesized(text)]);
    };
    return visit;
  };
}

function isMember(node: ts.Node): node is ts.TypeElement & { readonly name: ts.PropertyName } {
  return (ts.isTypeElement(node) || ts.isClassElement(node)) && node.name !== undefined;
}

function synthesized(text: string): ts.SynthesizedComment {
  return {
    kind: ts.SyntaxKind.MultiLineCommentTrivia,
    text,
    hasTrailingNewLine: true,
    pos: -1,
    end: -1,
  };
}

/** Returns the summary and, on lines below it, the errors and the right, as the inside of a comment. Empty without all. */
function commentOf(symbol: ts.Symbol | undefined, { checker, rights }: View): string {
  const summary = summaryOf(symbol, checker);
  const right = symbol?.declarations?.map((each) => rights.get(each) ?? '').join('') ?? '';
  const below = [errorsOf(symbol), right].filter((line) => line !== '');
  if (below.length === 0) return summary && `* ${summary} `;
  return `*\n${[summary, ...below].map((line) => line && ` * ${line}\n`).join('')} `;
}

/** Returns what a method or a function throws: the first sentence of each tag, without the class of most errors. */
function errorsOf(symbol: ts.Symbol | undefined): string {
  const tags = (symbol?.declarations ?? []).flatMap((each) =>
    ts.getJSDocTags(each).filter(ts.isJSDocThrowsTag),
  );
  const thrown = tags.map(({ comment }) => {
    const [first = ''] = sentencesIn(ts.getTextOfJSDocComment(comment) ?? '');
    return first && `Throws ${first.replace(/^OperatorError /, '')}`;
  });
  return [...new Set(thrown)].filter((text) => text !== '').join(' ');
}

/** Returns the first sentence of a doc comment, or an empty text. */
export function firstSentenceOf(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): string {
  return sentencesOf(symbol, checker)[0] ?? '';
}

/** Returns the first sentence of a doc comment, and the one that says the default. */
function summaryOf(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): string {
  const [first = '', ...others] = sentencesOf(symbol, checker);
  return [first, ...others.filter((sentence) => sentence.startsWith('Default: '))].join(' ');
}

/** Returns the sentences before a list. */
function sentencesOf(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): readonly string[] {
  return sentencesIn(
    ts.displayPartsToString(symbol?.getDocumentationComment(checker)).replace(/\n *- [\s\S]*/, ''),
  );
}

function sentencesIn(text: string): readonly string[] {
  const comment = text.replace(/\s+/g, ' ').trim();
  return comment.match(/\S.*?(?<!\b(?:e\.g|i\.e))[.](?= [A-Z`]|$)/g) ?? [];
}

const TYPE_FORMAT =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.WriteArrowStyleSignature;

/** A class as its declaration file has it: private members and bodies left out. */
function withoutBodies(declaration: ts.ClassDeclaration): ts.ClassDeclaration {
  const { factory } = ts;
  const members = declaration.members.flatMap((member): ts.ClassElement[] => {
    if (ts.canHaveModifiers(member) && ts.getModifiers(member)?.some(isPrivate) === true) return [];
    if (ts.isConstructorDeclaration(member)) {
      return [factory.updateConstructorDeclaration(member, member.modifiers, member.parameters, undefined)];
    }
    if (!ts.isMethodDeclaration(member)) return [member];
    const { modifiers, asteriskToken, name, questionToken, typeParameters, parameters, type } = member;
    return [
      factory.updateMethodDeclaration(
        member,
        modifiers,
        asteriskToken,
        name,
        questionToken,
        typeParameters,
        parameters,
        type,
        undefined,
      ),
    ];
  });
  const { modifiers, name, typeParameters, heritageClauses } = declaration;
  return factory.updateClassDeclaration(
    declaration,
    modifiers,
    name,
    typeParameters,
    heritageClauses,
    members,
  );
}

function isPrivate({ kind }: ts.Modifier): boolean {
  return kind === ts.SyntaxKind.PrivateKeyword;
}
