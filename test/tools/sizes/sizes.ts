import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesInGit, ROOT } from '../../architecture/sources.js';

/** Where the sizes are signed. */
export const SIZES_FILE = fileURLToPath(new URL('../../architecture/sizes.json', import.meta.url));

/** The lines of code of a folder and its files, or the words of the Markdown. */
export interface Size {
  /** In hundreds, rounded up. */
  readonly lines?: number;
  readonly words?: number;
  /** In tens, rounded up. */
  readonly files: number;
}

export type Sizes = Readonly<Record<string, Size>>;

const STEPS = { lines: 100, words: 100, files: 10 } as const;
const CODE = ['ts', 'tsx', 'mts', 'cts', 'js', 'mjs', 'cjs', 'sql', 'css'];

/** Returns the sizes of the packages, of core's folders, of the tests and of the Markdown, by folder. */
export function measureSizes(): Sizes {
  const code = filesInGit(...CODE.map((ending) => `*.${ending}`));
  const sources = code.filter((file) => !/\.test\.\w+$/.test(file));
  const pages = filesInGit('*.md').filter((file) => !file.endsWith('api-report.md'));
  const folders = [...foldersIn('packages'), ...foldersIn('packages/core/src')];
  const within = (folder: string) => (file: string) => file.startsWith(`${folder}/`);
  const sizeOf = (files: readonly string[]) => ({ lines: sum(files, linesOf), files: files.length });
  return {
    packages: sizeOf(sources.filter(within('packages'))),
    ...Object.fromEntries(folders.map((folder) => [folder, sizeOf(sources.filter(within(folder)))])),
    test: sizeOf(code.filter(within('test'))),
    '*.md': { words: sum(pages, wordsOf), files: pages.length },
  };
}

/** Returns what to sign for these sizes. */
export function rowsOf(sizes: Sizes): Sizes {
  const rows = Object.entries(sizes).map(([folder, size]) => {
    const rounded = measuresOf(size).map(([measure, figure]) => {
      const step = STEPS[measure];
      return [measure, Math.ceil(figure / step) * step];
    });
    return [folder, Object.fromEntries(rounded)];
  });
  return Object.fromEntries(rows) as Sizes;
}

/** Returns a sentence for each folder that is larger than its row, much smaller, or has none. */
export function complaintsAbout(sizes: Sizes, rows: Sizes): readonly string[] {
  const gone = Object.keys(rows).filter((folder) => sizes[folder] === undefined);
  return [
    ...gone.map((folder) => `${folder} does not exist: delete its row, by \`npm run sizes\`.`),
    ...Object.entries(sizes).flatMap(([folder, size]) => {
      const row = rows[folder];
      if (row === undefined) return [`${folder} has no row: add it, and say in the commit what it is for.`];
      return measuresOf(size).flatMap(([measure, figure]) => {
        const signed = row[measure] ?? 0;
        if (figure > signed) {
          return [
            `${folder} has ${figure} ${measure}, and ${signed} are signed: edit its row in sizes.json, and say in the commit what they are for.`,
          ];
        }
        if (figure < signed - STEPS[measure]) {
          return [`${folder} has ${figure} ${measure}, and ${signed} are signed: run \`npm run sizes\`.`];
        }
        return [];
      });
    }),
  ];
}

/** Returns the rows, lower where a folder has become smaller, and without folders that are gone. Raises none. */
export function lowered(sizes: Sizes, rows: Sizes): Sizes {
  const measured = rowsOf(sizes);
  const kept = Object.entries(rows).flatMap(([folder, row]) => {
    const size = measured[folder];
    if (size === undefined) return [];
    const lower = measuresOf(row).map(([measure, signed]) => [measure, Math.min(signed, size[measure] ?? 0)]);
    return [[folder, Object.fromEntries(lower)]];
  });
  return Object.fromEntries(kept) as Sizes;
}

export function readSizes(): Sizes {
  return JSON.parse(readFileSync(SIZES_FILE, 'utf8')) as Sizes;
}

function measuresOf(size: Size): readonly (readonly [keyof Size, number])[] {
  return Object.entries(size) as [keyof Size, number][];
}

function foldersIn(parent: string): readonly string[] {
  return readdirSync(join(ROOT, parent))
    .map((name) => `${parent}/${name}`)
    .filter((path) => statSync(join(ROOT, path)).isDirectory() && filesInGit(path).length > 0);
}

function sum(files: readonly string[], of: (text: string) => number): number {
  return files.reduce((total, file) => total + of(readFileSync(join(ROOT, file), 'utf8')), 0);
}

/** As `wc -l` counts. */
function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

/** As `wc -w` counts. */
function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
