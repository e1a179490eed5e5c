import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { onTestFinished } from 'vitest';
import { ROOT } from './fences.js';

/**
 * Compiles the programs that `fill` writes into an empty folder, as strictly as our sources, except for `changes`.
 * Returns how many files there are, and the problems of these files as one text.
 */
export function compile(fill: (folder: string) => void, changes: ts.CompilerOptions = {}) {
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
  const files = fileNames.map((name) => program.getSourceFile(name));
  const found = [
    ...errors,
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file).filter((each) => !isNextWithoutExtension(each)),
    ]),
  ];
  return { count: fileNames.length, problems: ts.formatDiagnostics(found, FORMAT) };
}

const IMPORT_WITHOUT_EXTENSION = 2835;

/** Next.js compiles `app/`, and resolves imports without an extension. */
function isNextWithoutExtension({ code, file }: ts.Diagnostic): boolean {
  return code === IMPORT_WITHOUT_EXTENSION && file?.fileName.includes('/app/') === true;
}

const FORMAT: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => tmpdir(),
  getNewLine: () => '\n',
};
