import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Fence, type FenceKind, fencesOf } from './fences.js';
import { type Filling, fillIn } from './fill-in.js';
import { fileOf, layOut } from './lay-out.js';
import { createShell, type Shell } from './shell.js';

/** A page while its story is told: its fences are taken from top to bottom, and each is played. */
export interface Page {
  /** Where its programs lie, and where its commands run. */
  readonly folder: string;
  /** A bash that goes on from one fence to the next. */
  readonly shell: Shell;
  /** The next fence. @throws Error if it is of another kind. */
  next(kind: FenceKind): Fence;
  /** Runs the next fence, commands: what they print. */
  run(filling?: Filling): Promise<string>;
  /** Starts the next fence, commands that do not end by themselves. What they have printed by then, and later. */
  start(filling: Filling, until: string): Promise<() => string>;
  /** Runs the next fence, a program; what it exports. */
  play(): Promise<Exports>;
  /** Runs the last program once more, as another process would, with something else in it if need be. */
  again(filling?: Filling): Promise<Exports>;
  /** Another file of the page's folder, as its programs see it. */
  load(file: string): Promise<Exports>;
  /** What programs have printed so far. */
  printed(): string;
}

/** What a program exports. */
export type Exports = Readonly<Record<string, unknown>>;

/** What a page finds around it. */
export interface Setting {
  /** What the page and the groundwork say in the place of what only the reader knows. */
  readonly filling?: Filling;
  readonly env?: Readonly<Record<string, string>>;
}

const STORY_MS = 120_000;

/**
 * Tells the story of a page: a test which plays every fence of it, in order.
 *
 * A fence that is left over fails it, and so does one in which commands find nothing of what they are to fill in.
 */
export function tell(page: string, story: (open: OpenPage) => Promise<void>): void {
  test(page, { timeout: STORY_MS }, async () => {
    const fences = [...fencesOf(page)];
    const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-page-'));
    // Set first, so that it runs last: what the story has started may still use the folder.
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true, force: true });
    });
    await story((setting = {}) => openPage(page, folder, fences, setting));
    const left = fences.map(({ line, kind }) => `${page}:${line}: nothing runs this ${kind}.`);
    expect(left).toEqual([]);
  });
}

/** Opens the page of a story, once. */
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
    throw new Error(`${name}: the story goes on with ${kind}, the page with ${found}.`);
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

/** Files that programs make where they run. */
const FILES = [
  'partner-hiring.sqlite',
  'settings.sqlite',
  'backup.sqlite',
  'submissions',
  'partner-hiring.sql',
];

function inFolder(folder: string): Filling {
  return Object.fromEntries(FILES.map((file) => [`'${file}'`, `'${join(folder, file)}'`]));
}

/** What is to be filled in must be there: else the page has changed, and its story with it. */
function checkFillable({ page, line, text }: Fence, filling: Filling): void {
  for (const what of Object.keys(filling)) {
    if (!text.includes(what)) throw new Error(`${page}:${line}: there is no "${what}" to fill in.`);
  }
}
