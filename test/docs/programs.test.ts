/** Type-checks the programs of all pages, as strictly as the sources. Those for partners must also compile without `strict`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { fencesOf, listFencedPages, ROOT } from './fences.js';
import { isProgram, layOut } from './lay-out.js';

const COMPILER_MS = 120_000;

/** Pages for partners, whose projects may not be strict. */
const FOR_PARTNERS =
  /^(?:docs\/(?:quick-start-partner|partner-guide|webhooks|sync|sandbox)\.md|packages\/(?:client|certify)\/README\.md)$/;

/** Writes each page's programs into a folder that is named after the page. */
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

test('programs for partners compile without strict', { timeout: COMPILER_MS }, () => {
  const { count, problems } = compile((folder) => layOutAll(folder, FOR_PARTNERS), {
    strict: false,
    exactOptionalPropertyTypes: false,
  });
  expect(count).toBeGreaterThan(10);
  expect(problems).toBe('');
});

/** Compiles the programs of a folder. Returns their number and the compiler's errors. */
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
  // Only the pages: the type check of the sources covers their imports.
  const pages = fileNames.map((name) => program.getSourceFile(name));
  const found = [
    ...errors,
    ...program.getGlobalDiagnostics(),
    ...pages.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file).filter((each) => !isOfNext(each)),
    ]),
  ];
  return { count: fileNames.length, problems: ts.formatDiagnostics(found, FORMAT) };
}

test('programs import pg by default, because it has no named exports before 8.15', () => {
  const byName = listFencedPages()
    .flatMap((page) => fencesOf(page))
    .filter((fence) => isProgram(fence) && /^import \{.*\} from 'pg'/m.test(fence.text));
  expect(byName.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
});

const IMPORT_WITHOUT_EXTENSION = 2835;

/** Next imports `.ts` files in `app/` without an extension. */
function isOfNext({ code, file }: ts.Diagnostic): boolean {
  return code === IMPORT_WITHOUT_EXTENSION && file?.fileName.includes('/app/') === true;
}

const FORMAT: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => tmpdir(),
  getNewLine: () => '\n',
};
