import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The kinds of fences. Programs (`ts`, `js`) are type-checked and run, and commands (`sh`) are run. A test runs `sql` on a
 * database, runs `py` with a command, validates `json` against the OpenAPI document, and compares `text` with output. `diagrams.test.ts` checks
 * `mermaid`.
 */
export const FENCE_KINDS = ['ts', 'js', 'py', 'sh', 'sql', 'json', 'text', 'mermaid'] as const;

export type FenceKind = (typeof FENCE_KINDS)[number];

/** A fenced block of a page. */
export interface Fence {
  /** The page's path from the root. */
  readonly page: string;
  /** The first line, from 1. */
  readonly line: number;
  readonly kind: FenceKind;
  /** The file name in a program's first line; null if it has none. */
  readonly fileName: string | null;
  /** The content, with the last line break. */
  readonly text: string;
}

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the paths of all tested pages, from the root. */
export function listPages(): readonly string[] {
  const docs = readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' }).map(
    (name) => `docs/${name}`,
  );
  const readmes = readdirSync(`${ROOT}packages`).map((name) => `packages/${name}/README.md`);
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs, ...readmes]
    .filter((path) => path.endsWith('.md') && existsSync(`${ROOT}${path}`))
    .sort();
}

/** Pages that the package's own tests play, on its built files. */
const PLAYED_ELSEWHERE: readonly string[] = ['packages/webhook-verifier/README.md'];

/** Returns the pages whose fences need a story here. Mermaid fences need none. */
export function listFencedPages(): readonly string[] {
  return listPages().filter((page) => !PLAYED_ELSEWHERE.includes(page) && playedFencesOf(page).length > 0);
}

/** Returns the fences that a page's story must consume. */
export function playedFencesOf(page: string): readonly Fence[] {
  return fencesOf(page).filter(({ kind }) => kind !== 'mermaid');
}

export function readPage(page: string): string {
  return readFileSync(`${ROOT}${page}`, 'utf8');
}

/**
 * Returns the text of a page with these rows in the table whose first column has this name.
 *
 * @throws Error if the page does not have one such table.
 */
export function withRows(text: string, head: string, rows: readonly (readonly string[])[]): string {
  const parts = text.split(new RegExp(`(?<=\\n\\| ${head} .*\\n.*\\n)(?:\\|.*\\n)*`));
  if (parts.length !== 2) throw new Error(`The page has ${parts.length - 1} tables of ${head}.`);
  return parts.join(rows.map((cells) => `| ${cells.join(' | ')} |\n`).join(''));
}

const FENCE = /^( *)(`{3,}|~{3,})([^\n]*)\n(.*?)(^\1\2 *$|(?![\s\S]))/gms;
const FILE_NAME = /^(?:\/\/|#) ([\w./[\]-]+\.(?:m?[tj]s|py))\b/;

/**
 * Returns every fence of a page, in order.
 *
 * @throws Error for an unknown kind, and for a fence that would be overlooked: without an end, or not on its own line.
 */
export function fencesOf(page: string, source = readPage(page)): readonly Fence[] {
  const lineAt = (index: number) => source.slice(0, index).split('\n').length;
  const astray = source.replaceAll(FENCE, (fence) => fence.replaceAll(/[^\n]/g, ' ')).search(/```|~~~/);
  if (astray >= 0) throw new Error(`${page}:${lineAt(astray)}: a fence must begin on a line of its own.`);
  return [...source.matchAll(FENCE)].map((match) => {
    const [, indent = '', , kind = '', block = '', end = ''] = match;
    const line = lineAt(match.index);
    if (end === '') throw new Error(`${page}:${line}: this fence does not end.`);
    const text = block.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    if (!isFenceKind(kind)) {
      throw new Error(`${page}:${line}: a fence must be one of ${FENCE_KINDS.join(', ')}, not "${kind}".`);
    }
    return { page, line, kind, text, fileName: FILE_NAME.exec(text)?.[1] ?? null };
  });
}

function isFenceKind(kind: string): kind is FenceKind {
  return (FENCE_KINDS as readonly string[]).includes(kind);
}
