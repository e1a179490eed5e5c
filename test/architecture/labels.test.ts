/** A label that several pages of console or portal have is written once, in `labels.ts` or with the library's fields. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIELD_LABELS } from '@partner-hiring/core';
import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { LABELS } from '../../packages/console/src/labels.js';
import { ROOT, sourcesOf } from './sources.js';

const TABLE = 'packages/console/src/labels.ts';

/** Properties and attributes that are shown as the label of a column, a field, a link, a heading or a button. */
const NAMES = new Set(['header', 'label', 'title', 'caption', 'confirm', 'aria-label']);

/** The labels that a file writes. The first of two elements is the label of a fact. */
function labelsIn(file: string, text: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && isLabel(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind));
  return found;
}

function isLabel(node: ts.StringLiteral): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) || ts.isJsxAttribute(parent)) return NAMES.has(parent.name.getText());
  const isFact = ts.isArrayLiteralExpression(parent) && parent.elements.length === 2;
  return isFact && parent.elements[0] === node && /^\p{Lu}/u.test(node.text);
}

/** All texts of a table, and of the tables in it. */
function textsOf(table: object): readonly string[] {
  return Object.values(table).flatMap((value) => (typeof value === 'string' ? [value] : textsOf(value)));
}

/** The files that write each label. A label of the tables counts as written there. */
function writersOf(sources: readonly (readonly [file: string, text: string])[]): Map<string, Set<string>> {
  const known = [...textsOf(LABELS), ...textsOf(FIELD_LABELS)].map((label) => [label, TABLE] as const);
  const written = sources.flatMap(([file, text]) =>
    labelsIn(file, text).map((label) => [label, file] as const),
  );
  const writers = new Map<string, Set<string>>();
  for (const [label, file] of [...known, ...written]) {
    writers.set(label, (writers.get(label) ?? new Set()).add(file));
  }
  return writers;
}

const SOURCES = sourcesOf('console').map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const);

/** Words that several files write for different things. A word that goes is deleted here; a new one needs a reason in its commit. */
const SIGNED = [
  'Actions',
  'Back',
  'Choose',
  'Failing',
  'Is anything wrong?',
  'Item',
  'Request not found',
  'Resend this event?',
  'Result',
  'Results',
  'Since',
];

test('the label of one fact is written in one file', () => {
  const several = [...writersOf(SOURCES)].filter(([, files]) => files.size > 1).toSorted();
  const unsigned = several.filter(([label]) => !SIGNED.includes(label));
  expect(unsigned.map(([label, files]) => `${label}: ${[...files].join(', ')}`)).toEqual([]);
  expect(several.map(([label]) => label)).toEqual(SIGNED);
});

test.each([
  ['a column', "const column = { header: 'Partner key' };"],
  ['a field', '<TextField name="key" label="Partner key" />;'],
  ['a fact', "const fact = ['Partner key', keyLabel];"],
])('%s with a label of the table is found', (_, text) => {
  const writers = writersOf([['a.tsx', text]]).get(FIELD_LABELS.application.keyId);
  expect([...(writers ?? [])]).toEqual([TABLE, 'a.tsx']);
});
