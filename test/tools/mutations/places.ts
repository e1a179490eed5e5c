import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { ROOT, sourcesOf } from '../../architecture/sources.js';
import { AREAS } from './near-tests.js';

/** One change of one file that breaks its behaviour but not its syntax. */
export interface Mutation {
  /** From the project's root. */
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

const SWAPPED: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
]);

/** Lists every mutation of the watched files, in the order of the files. */
export function allMutations(): readonly Mutation[] {
  const files = [...sourcesOf('core'), ...sourcesOf('storage-kysely')].filter((file) =>
    AREAS.some(({ files }) => files.test(file)),
  );
  return files.flatMap((file) => mutationsOf(file, readFileSync(join(ROOT, file), 'utf8')));
}

/** Draws different mutations. The same seed on the same sources draws the same ones. */
export function drawMutations(all: readonly Mutation[], count: number, seed: number): readonly Mutation[] {
  const random = seeded(seed);
  const left = [...all];
  const drawn: Mutation[] = [];
  while (drawn.length < count && left.length > 0) {
    drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return drawn;
}

/** Lists the mutations of one file. */
export function mutationsOf(file: string, text: string): readonly Mutation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  visit(source);
  return found;

  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    const change = changeOf(node);
    if (change !== null) {
      const { line } = source.getLineAndCharacterOfPosition(change.node.getStart());
      found.push({
        file,
        line: line + 1,
        start: change.node.getStart(),
        end: change.node.getEnd(),
        before: change.node.getText(),
        after: change.after,
      });
    }
    ts.forEachChild(node, visit);
  }
}

function changeOf(node: ts.Node): { readonly node: ts.Node; readonly after: string } | null {
  if (ts.isBinaryExpression(node)) {
    const after = SWAPPED.get(node.operatorToken.kind);
    return after === undefined ? null : { node: node.operatorToken, after };
  }
  if (ts.isIfStatement(node)) {
    return { node: node.expression, after: `!(${node.expression.getText()})` };
  }
  if (ts.isConditionalExpression(node)) {
    return { node: node.condition, after: `!(${node.condition.getText()})` };
  }
  if (ts.isExpressionStatement(node) && isCall(node.expression)) {
    return { node, after: ';' };
  }
  if (ts.isNumericLiteral(node)) return { node, after: `(${node.getText()} + 1)` };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { node, after: 'false' };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { node, after: 'true' };
  return null;
}

function isCall(node: ts.Expression): boolean {
  return ts.isCallExpression(ts.isAwaitExpression(node) ? node.expression : node);
}

/** Mulberry32, because `Math.random` has no seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
