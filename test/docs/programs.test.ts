/** Every program of every page, in the strict terms that the sources are held to. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { fencesOf, listFencedPages, ROOT } from './fences.js';
import { isProgram, layOut } from './lay-out.js';

const COMPILER_MS = 120_000;

/** One folder for each page that has programs; what it is called says which. */
function layOutAll(folder: string): void {
  for (const page of listFencedPages().filter((each) => fencesOf(each).some(isProgram))) {
    layOut(page, join(folder, page.replaceAll('/', '+')));
  }
}

test('the programs of all pages compile', { timeout: COMPILER_MS }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-programs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  layOutAll(folder);
  const settings = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      allowJs: true,
      checkJs: false,
      rootDir: '/',
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    include: ['**/*.ts', '**/*.mjs'],
    exclude: ['**/node_modules'],
  };
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(settings, ts.sys, folder);
  const program = ts.createProgram(fileNames, options);
  // Of the pages alone: the sources that they import are checked with the sources.
  const pages = fileNames.map((name) => program.getSourceFile(name));
  const found = [
    ...errors,
    ...program.getGlobalDiagnostics(),
    ...pages.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file).filter((each) => !isNextsOwnWay(each)),
    ]),
  ];
  expect(fileNames.length).toBeGreaterThan(20);
  expect(ts.formatDiagnostics(found, FORMAT)).toBe('');
});

test('programs take pg as all versions of our range give it: before 8.15 Node finds no names in it', () => {
  const byName = listFencedPages()
    .flatMap((page) => fencesOf(page))
    .filter((fence) => isProgram(fence) && /^import \{.*\} from 'pg'/m.test(fence.text));
  expect(byName.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
});

const IMPORT_WITHOUT_EXTENSION = 2835;

/** What lies in `app/` is Next's: of a `.ts` file it knows no `.js`, and asks for none. */
function isNextsOwnWay({ code, file }: ts.Diagnostic): boolean {
  return code === IMPORT_WITHOUT_EXTENSION && file?.fileName.includes('/app/') === true;
}

const FORMAT: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => tmpdir(),
  getNewLine: () => '\n',
};
