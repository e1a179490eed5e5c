import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Fence, type FenceKind, playedFencesOf } from './fences.js';
import { type Filling, fillIn } from './fill-in.js';
import { fileOf, layOut } from './lay-out.js';
import { createShell, type Shell } from './shell.js';

/** A page whose story runs. Each call consumes the next fence. */
export interface Page {
  /** The folder of its programs, and the working directory of its commands. */
  readonly folder: string;
  /** A bash that keeps its variables from one fence to the next. */
  readonly shell: Shell;
  /** Returns the next fence. @throws Error if its kind differs. */
  next(kind: FenceKind): Fence;
  /** Runs the next `sh` fence and returns its output. */
  run(filling?: Filling): Promise<string>;
  /** Starts the next `sh` fence, which keeps running. Resolves when it has printed `until`. */
  start(filling: Filling, until: string): Promise<() => string>;
  /** Runs the next fence, a program, and returns its exports. */
  play(): Promise<Exports>;
  /** Runs the last program again, as another process would, with replacements. */
  again(filling?: Filling): Promise<Exports>;
  /** Imports another file of the page's folder. */
  load(file: string): Promise<Exports>;
  /** Returns everything that programs have printed. */
  printed(): string;
}

export type Exports = Readonly<Record<string, unknown>>;

export interface Setting {
  /** Replacements for what only the reader knows. */
  readonly filling?: Filling;
  readonly env?: Readonly<Record<string, string>>;
}

const STORY_MS = 120_000;

/**
 * Defines a test that plays every fence of a page in order. It fails if a fence is left over, or if a command lacks a text
 * that it should replace. Programs import from the workspace's `node_modules`.
 */
export function tell(page: string, story: (open: OpenPage) => Promise<void>): void {
  test(page, { timeout: STORY_MS }, async () => {
    const fences = [...playedFencesOf(page)];
    const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-page-'));
    // Registered first, so that it runs last: the story's processes may still use the folder.
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true, force: true });
    });
    await story((setting = {}) => openPage(page, folder, fences, setting));
    const left = fences.map(({ line, kind }) => `${page}:${line}: nothing runs this ${kind}.`);
    expect(left).toEqual([]);
  });
}

/** Opens the page. Call it once. */
export type OpenPage = (setting?: Setting) => Page;

function openPage(name: string, folder: string, fences: Fence[], { filling = {}, env = {} }: Setting): Page {
  for (const [key, value] of Object.entries(env)) vi.stubEnv(key, value);
  layOut(name, folder, (text) => fillIn(text, { ...filling, ...inFolder(folder) }));
  const shell = createShell(folder, env);
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((...said: unknown[]) => {
    lines.push(format(...said));
  });

  let played = '';
  function next(kind: FenceKind): Fence {
    const fence = fences.shift();
    if (fence?.kind === kind) return fence;
    const found = fence === undefined ? 'the end of the page' : `${fence.kind} at line ${fence.line}`;
    throw new Error(`${name}: the story expects ${kind}, but the page has ${found}.`);
  }
  function commands(more: Filling): string {
    const fence = next('sh');
    checkFillable(fence, more);
    return fillIn(fence.text, { ...filling, ...more });
  }
  return {
    folder,
    shell,
    next,
    run: (more = {}) => shell.run(commands(more)),
    start: (more, until) => shell.start(commands(more), until),
    play: () => {
      played = join(folder, fileOf(next(fences[0]?.kind === 'js' ? 'js' : 'ts')));
      return importFile(played);
    },
    again: (more = {}) => {
      const copy = played.replace(/(\.\w+)$/, `-again-${fences.length}$1`);
      writeFileSync(copy, fillIn(readFileSync(played, 'utf8'), more));
      return importFile(copy);
    },
    load: (file) => importFile(join(folder, file)),
    printed: () => lines.join('\n'),
  };
}

function importFile(file: string): Promise<Exports> {
  return import(pathToFileURL(file).href) as Promise<Exports>;
}

/** Files that programs create or read in the working directory. */
const FILES = [
  'partner-hiring.sqlite',
  'settings.sqlite',
  'backup.sqlite',
  'staff.sqlite',
  'submissions',
  'partner-hiring.sql',
  'ca.pem',
];

function inFolder(folder: string): Filling {
  return Object.fromEntries(FILES.map((file) => [`'${file}'`, `'${join(folder, file)}'`]));
}

/** Throws if the fence lacks a text to replace, because then the page has changed. */
function checkFillable({ page, line, text }: Fence, filling: Filling): void {
  for (const what of Object.keys(filling)) {
    if (!text.includes(what)) throw new Error(`${page}:${line}: the fence has no "${what}" to replace.`);
  }
}
