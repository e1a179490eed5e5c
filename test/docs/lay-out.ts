import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Fence, fencesOf, ROOT } from './fences.js';

/** Pages whose programs other pages import. */
const GROUNDWORK = ['docs/quick-start-host.md', 'docs/postgres.md'];

/** Files of the reader's own, which no page shows. */
const STAGES = fileURLToPath(new URL('./stages/', import.meta.url));

/** Whether a fence is a program. */
export function isProgram({ kind }: Fence): boolean {
  return kind === 'ts' || kind === 'js';
}

/** Returns the file name of a program in its page's folder. */
export function fileOf({ fileName, kind, line }: Fence): string {
  return fileName ?? `line-${line}.${kind === 'js' ? 'mjs' : 'ts'}`;
}

/**
 * Writes a page's programs into a folder, with the programs that they import from other pages and the files of its stage.
 *
 * @param fill Replaces what only the reader knows.
 */
export function layOut(page: string, folder: string, fill: (text: string) => string = (text) => text): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  if (!existsSync(join(folder, 'node_modules'))) {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  }
  for (const groundwork of GROUNDWORK.filter(() => page.startsWith('docs/'))) {
    const named = fencesOf(groundwork).filter(({ fileName }) => fileName !== null);
    writePrograms(folder, named, fill);
  }
  const stage = join(STAGES, stageOf(page));
  if (existsSync(stage)) copyStage(stage, folder, fill);
  writePrograms(folder, fencesOf(page), fill);
}

function copyStage(stage: string, folder: string, fill: (text: string) => string): void {
  for (const name of readdirSync(stage)) {
    writeFileSync(join(folder, name), fill(readFileSync(join(stage, name), 'utf8')));
  }
}

function writePrograms(folder: string, fences: readonly Fence[], fill: (text: string) => string): void {
  for (const fence of fences.filter((each) => isProgram(each) || each.kind === 'py')) {
    const file = join(folder, fileOf(fence));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, fill(fence.text));
  }
}

/** Creates a folder whose programs import from `libraries`, and then from the workspace. Returns its path. */
export function layOutLibraries(outer: string, libraries: string): string {
  const folder = join(outer, 'page');
  mkdirSync(folder);
  symlinkSync(join(ROOT, 'node_modules'), join(outer, 'node_modules'));
  symlinkSync(libraries, join(folder, 'node_modules'));
  return folder;
}

/** Returns the stage of a page: `adapters` of `docs/adapters.md`, `client` of `packages/client/README.md`. */
function stageOf(page: string): string {
  return page.replace(/\/README\.md$|\.md$/, '').replace(/^.*\//, '');
}
