/** With `exactOptionalPropertyTypes`, a host passes `{ note: maybeUndefined }` only if the type says `| undefined`. */
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { describe, expect, test } from 'vitest';
import { strictOptionals } from './optional-inputs.js';
import { openPublicSurface, publishedPackages } from './published.js';
import { ROOT } from './sources.js';

const surface = openPublicSurface();
const ENTRIES = publishedPackages().flatMap(({ entries }) => [...entries]);

test.each(ENTRIES)('%s takes `undefined` for each optional property of an input', (_path, entry) => {
  expect(strictOptionals(entry, surface)).toEqual([]);
});

const DECLARED = {
  'an option of a function': 'export declare function f(options: { readonly note?: string }): void;',
  'an option in a list': 'export declare function f(all: readonly { readonly note?: string }[]): void;',
  'an option inside an option':
    'export declare function f(all: { readonly one: { readonly note?: string } }): void;',
  'an input of a command':
    'export declare function f(): { jobs: { close(job: { readonly note?: string }): void } };',
  'a mapped option': 'export declare function f(all: Partial<{ readonly note: string }>): void;',
  'an option of a class': 'export declare class F { constructor(options: { readonly note?: string }); }',
  'an option of a static method':
    'export declare class F { static g(options: { readonly note?: string }): void; }',
  'one option of a union': 'export declare function f(it: string | { readonly note?: string }): void;',
};

describe('finds', () => {
  test.each(Object.entries(DECLARED))('%s', (_what, text) => {
    expect(strictOptionals('made-up', surfaceOf(text))).toHaveLength(1);
  });

  test.each([
    'export declare function f(options: { readonly note?: string | undefined }): void;',
    'export declare function f(options: { readonly note: string; readonly more?: unknown }): void;',
    'export declare function f(): { readonly note?: string };',
  ])('nothing in the program %s', (text) => {
    expect(strictOptionals('made-up', surfaceOf(text))).toEqual([]);
  });
});

/** Compiles a text, as if it were a file of a package. */
function surfaceOf(text: string): Parameters<typeof strictOptionals>[1] {
  const file = join(ROOT, 'packages/made-up/src/index.ts');
  const options: ts.CompilerOptions = { strict: true, exactOptionalPropertyTypes: true };
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true) : readSource(name, ...rest);
  const program = ts.createProgram([file], options, host);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (source === undefined || module === undefined) throw new Error('The text exports nothing.');
  return { checker, source: () => source, exportsOf: () => checker.getExportsOfModule(module) };
}
