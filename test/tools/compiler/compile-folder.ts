import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The program of the compiler. */
export const TSC = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
);

/** What the compiler says about the files of a folder. */
export interface Compiled {
  /** How many files the folder has. */
  readonly count: number;
  /** The errors of these files as one text, or an empty text. */
  readonly problems: string;
}

/**
 * Compiles the TypeScript and `.mjs` files of a folder as strictly as our sources, except for the compiler options in
 * `changes`. Our sources, which they import, are checked elsewhere. Writes a `tsconfig.json` into the folder, whose path
 * must be a real path.
 */
export function compileFolder(folder: string, changes: object = {}): Compiled {
  const compilerOptions = {
    allowJs: true,
    checkJs: false,
    rootDir: '/',
    typeRoots: [join(ROOT, 'node_modules/@types')],
    ...changes,
  };
  const settings = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions,
    include: ['**/*.ts', '**/*.mts', '**/*.mjs'],
    exclude: ['**/node_modules'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const options = ['--project', folder, '--pretty', 'false', '--listFiles'];
  const { stdout, stderr } = spawnSync(process.execPath, [TSC, ...options], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (stderr !== '') throw new Error(stderr);
  const inFolder = (line: string) => line.startsWith(`${folder}/`) && !line.includes('/node_modules/');
  const count = stdout.split('\n').filter(inFolder).length;
  if (count === 0) throw new Error(`The compiler found no file in ${folder}:\n${stdout}`);
  return { count, problems: errorsIn(stdout).filter(isOfFolder).join('\n') };
}

/** Returns the errors, with the lines that explain each. The other lines are the paths of files. */
function errorsIn(output: string): readonly string[] {
  return output.split(/\n(?! )/).filter((text) => /^(?:\S.*\(\d+,\d+\): )?error TS\d+: /.test(text));
}

/** Paths are relative to the folder. An error without a path is one of the settings. */
function isOfFolder(error: string): boolean {
  const isNextWithoutExtension = /(?:^|\/)app\/[^\n]* error TS2835: /.test(error);
  return !error.startsWith('../') && !error.startsWith('/') && !isNextWithoutExtension;
}
