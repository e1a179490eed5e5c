/** Compares the walks of the architecture page with the imports of the code. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, ROOT } from './sources.js';

const PAGE = 'docs/architecture.md';
const HEADING = /^#{2,3} Walk: (.+)$/;
/** A file of a walk. `through` is the name of a port or hook: this file has it, and an earlier one. */
const FILE = /^\d+\. `([^`]+\.tsx?)`(?:, through `([^`]+)`)?: /;

/** The most files of a walk that somebody can keep in mind. */
const MOST_FILES_OF_A_DELIVERY = 28;

interface WalkedFile {
  readonly path: string;
  readonly through: string | null;
}

function walksOf(page: string): ReadonlyMap<string, readonly WalkedFile[]> {
  const walks = new Map<string, WalkedFile[]>();
  let files: WalkedFile[] = [];
  for (const line of page.split('\n')) {
    if (line.startsWith('#')) files = [];
    const [, title] = HEADING.exec(line) ?? [];
    if (title !== undefined) walks.set(title, files);
    const [, path, through = null] = FILE.exec(line) ?? [];
    if (path !== undefined) files.push({ path: pathOf(path), through });
  }
  return walks;
}

/** The page writes paths relative to core's sources, or to `packages`. */
function pathOf(path: string): string {
  const inCore = `packages/core/src/${path}`;
  return existsSync(join(ROOT, inCore)) ? inCore : `packages/${path}`;
}

/** The files that these import, and those that a file in between imports, such as a list of all commands. */
function reachedFrom(files: readonly string[]): ReadonlySet<string> {
  const direct = files.flatMap(importedBy);
  return new Set([...direct, ...direct.flatMap(importedBy)]);
}

function importedBy(file: string): readonly string[] {
  if (!existsSync(join(ROOT, file))) return [];
  return importsOf(file).map(({ to }) => sourceOf(to));
}

/** The entry file of a package, for an import by its name. */
function sourceOf(imported: string): string {
  const [, name, entry] = /^@partner-hiring\/([\w-]+)(?:\/([\w-]+))?$/.exec(imported) ?? [];
  if (name === undefined) return imported;
  return `packages/${name}/src/${entry === undefined ? '' : `${entry}/`}index.ts`;
}

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const WALKS = walksOf(readFileSync(join(ROOT, PAGE), 'utf8'));

test('the page has the six walks', () => {
  expect([...WALKS.keys()]).toEqual([
    'a submission',
    'a delivery',
    'an erasure',
    'a row of the console',
    'a timeline',
    'a list over cells',
  ]);
});

test(`the walk of a delivery has at most ${MOST_FILES_OF_A_DELIVERY} files`, () => {
  expect(WALKS.get('a delivery')?.length).toBeLessThanOrEqual(MOST_FILES_OF_A_DELIVERY);
});

describe.each([...WALKS])('the walk of %s', (_, files) => {
  test('names files that exist, each once', () => {
    const paths = files.map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test('reaches each file by imports of an earlier one, or says through which name', () => {
    const unreached = files.slice(1).filter(({ path, through }, index) => {
      const before = files.slice(0, index + 1).map((file) => file.path);
      if (through === null) return !reachedFrom(before).has(path);
      const namesIt = (file: string) => new RegExp(`\\b${through}\\b`).test(textOf(file));
      return !namesIt(path) || !before.some(namesIt);
    });
    expect(unreached).toEqual([]);
  });
});

test('a walk with a file that nothing before leads to is found', () => {
  const [submission] = WALKS.values();
  const first = submission?.[0]?.path ?? '';
  expect(reachedFrom([first]).has('packages/core/src/worker/attempt.ts')).toBe(false);
});
