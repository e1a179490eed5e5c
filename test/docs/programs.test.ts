/** Every program of every page, in the strict terms that the sources are held to; those for partners in loose ones, too. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { fencesOf, listFencedPages, ROOT } from './fences.js';
import { isProgram, layOut } from './lay-out.js';

const COMPILER_MS = 120_000;

/** Pages that partners read: their projects are as they are, and many are not strict. */
const FOR_PARTNERS =
  /^(?:docs\/(?:quick-start-partner|partner-guide|webhooks|sync|sandbox)\.md|packages\/(?:client|certify)\/README\.md)$/;

/** One folder for each page that has programs; what it is called says which. */
function layOutAll(folder: string, pages = /(?:)/): void {
  const isLaidOut = (page: string) => pages.test(page) && fencesOf(page).some(isProgram);
  for (const page of listFencedPages().filter(isLaidOut)) {
    layOut(page, join(folder, page.replaceAll('/', '+')));
  }
}

test('the programs of all pages compile', { timeout: COMPILER_MS }, () => {
  const { count, problems } = compile(layOutAll);
  expect(count).toBeGreaterThan(20);
  expect(problems).toBe('');
});

test('those for partners compile in a project that is not strict, too', { timeout: COMPILER_MS }, () => {
  const { count, problems } = compile((folder) => layOutAll(folder, FOR_PARTNERS), {
    strict: false,
    exactOptionalPropertyTypes: false,
  });
  expect(count).toBeGreaterThan(10);
  expect(problems).toBe('');
});

/** What the compiler says of the programs in a folder, and how many there are. */
function compile(fill: (folder: string) => void, changes: ts.CompilerOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-programs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  fill(folder);
  const settings = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      allowJs: true,
      checkJs: false,
      rootDir: '/',
      typeRoots: [join(ROOT, 'node_modules/@types')],
      ...changes,
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
  return { count: fileNames.length, problems: ts.formatDiagnostics(found, FORMAT) };
}

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
