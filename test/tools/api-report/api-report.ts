import ts from '@typescript/typescript6';
import type { PublicSurface, PublishedPackage } from '../../architecture/published.js';

/** Where the report of a package is, from the project's root. */
export function reportFileOf({ folder }: PublishedPackage): string {
  return `${folder}/api-report.md`;
}

/**
 * Returns the public declarations of a package as Markdown, without bodies, and with the first sentence on each method.
 * A change of the public surface is then a changed line of this file.
 */
export function apiReport(published: PublishedPackage, surface: PublicSurface): string {
  const sections = [...published.entries].map(([path, entry]) => {
    const texts = surface.exportsOf(entry).map((symbol) => declarationOf(symbol, surface.checker));
    return `## \`${path}\`\n\n\`\`\`ts\n${texts.sort().join('\n\n')}\n\`\`\`\n`;
  });
  return `# Public API of ${published.name}\n\nWritten by \`npm run api-report\`; a test compares it with the sources.\n\n${sections.join('\n')}`;
}

const printer = ts.createPrinter({ removeComments: true });

function declarationOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const declarations = symbol.declarations ?? [];
  if (declarations.length === 0) throw new Error(`${symbol.name} has no declaration.`);
  return declarations.map((declaration) => textOf(symbol, declaration, checker)).join('\n');
}

function textOf(symbol: ts.Symbol, declaration: ts.Declaration, checker: ts.TypeChecker): string {
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
  const text = printer.printNode(ts.EmitHint.Unspecified, shown, declaration.getSourceFile());
  const members: readonly ts.TypeElement[] = ts.isInterfaceDeclaration(declaration)
    ? declaration.members
    : [];
  return withFirstSentences(text.replace(/^export /, ''), members.filter(ts.isMethodSignature), checker);
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

/** Adds the first sentence of each method's doc comment. */
function withFirstSentences(
  text: string,
  methods: readonly ts.MethodSignature[],
  checker: ts.TypeChecker,
): string {
  let [done, rest] = ['', text];
  for (const method of methods) {
    const sentence = firstSentenceOf(checker.getSymbolAtLocation(method.name), checker);
    const at = rest.search(new RegExp(`^ {4}${method.name.getText()}[?<(]`, 'm'));
    if (sentence === '' || at < 0) continue;
    const end = rest.indexOf('\n', at);
    done += `${rest.slice(0, at)}    /** ${sentence} */\n${rest.slice(at, end)}`;
    rest = rest.slice(end);
  }
  return done + rest;
}

/** Returns the first sentence of a doc comment, or an empty text. */
export function firstSentenceOf(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): string {
  const comment = ts
    .displayPartsToString(symbol?.getDocumentationComment(checker))
    .replace(/\s+/g, ' ')
    .trim();
  return /^.*?[.](?= [A-Z`]|$)/.exec(comment)?.[0] ?? '';
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
