import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Fence, fencesOf, ROOT } from './fences.js';

/** Pages whose programs others go on from: they import these files by the names that they have there. */
const GROUNDWORK = ['docs/quick-start-host.md', 'docs/postgres.md'];

/** What a page takes for granted: files of the reader's own, which no page shows. */
const STAGES = fileURLToPath(new URL('./stages/', import.meta.url));

/** Whether a fence is a file of a program. */
export function isProgram({ kind }: Fence): boolean {
  return kind === 'ts' || kind === 'js';
}

/** The file of a program in its page's folder. */
export function fileOf({ fileName, kind, line }: Fence): string {
  return fileName ?? `line-${line}.${kind === 'js' ? 'mjs' : 'ts'}`;
}

/**
 * Writes a page's programs into a folder, as a reader has them: beside the groundwork of other pages, and what the
 * stage of the page takes for granted.
 *
 * @param fill What the programs say in the place of what only the reader knows.
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
  for (const fence of fences.filter(isProgram)) {
    const file = join(folder, fileOf(fence));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, fill(fence.text));
  }
}

/** The name of a page's stage: `docs/adapters.md` has `adapters`, `packages/client/README.md` has `client`. */
function stageOf(page: string): string {
  return page.replace(/\/README\.md$|\.md$/, '').replace(/^.*\//, '');
}
