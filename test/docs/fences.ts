import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * What a fence may be. A program (`ts`, `js`) is type-checked and run, a command (`sh`) is run, `sql` goes to a
 * database, `json` is held to the API's description, and `text` shows what something prints or what lies where,
 * which a test compares.
 */
export const FENCE_KINDS = ['ts', 'js', 'sh', 'sql', 'json', 'text'] as const;

/** One of them. */
export type FenceKind = (typeof FENCE_KINDS)[number];

/** A fenced block of a page. */
export interface Fence {
  /** The page's path from the root. */
  readonly page: string;
  /** Where it begins, from 1. */
  readonly line: number;
  readonly kind: FenceKind;
  /** What a program's first line names its file; null if it does not. */
  readonly fileName: string | null;
  /** What is in it, with its last line break. */
  readonly text: string;
}

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The pages that are held to what they say, by their paths from the root. */
export function listPages(): readonly string[] {
  const docs = readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' }).map(
    (name) => `docs/${name}`,
  );
  const readmes = readdirSync(`${ROOT}packages`).map((name) => `packages/${name}/README.md`);
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs, ...readmes]
    .filter((path) => path.endsWith('.md') && existsSync(`${ROOT}${path}`))
    .sort();
}

/** Told where the package's own tests are: on what it publishes, built. */
const TOLD_ELSEWHERE: readonly string[] = ['packages/webhook-verifier/README.md'];

/** The pages whose fences are played here. */
export function listFencedPages(): readonly string[] {
  return listPages().filter((page) => !TOLD_ELSEWHERE.includes(page) && fencesOf(page).length > 0);
}

/** The text of a page. */
export function readPage(page: string): string {
  return readFileSync(`${ROOT}${page}`, 'utf8');
}

const FENCE = /^( *)(`{3,}|~{3,})([^\n]*)\n(.*?)(^\1\2 *$|(?![\s\S]))/gms;
const FILE_NAME = /^\/\/ ([\w./[\]-]+\.m?[tj]s)\b/;

/**
 * Every fence of a page, in order.
 *
 * @throws Error for a fence of another kind than those of the list, and for one that would be overlooked: without an
 *   end, or in a line with something else.
 */
export function fencesOf(page: string, source = readPage(page)): readonly Fence[] {
  const lineAt = (index: number) => source.slice(0, index).split('\n').length;
  const astray = source.replaceAll(FENCE, (fence) => fence.replaceAll(/[^\n]/g, ' ')).search(/```|~~~/);
  if (astray >= 0) throw new Error(`${page}:${lineAt(astray)}: a fence begins a line of its own.`);
  return [...source.matchAll(FENCE)].map((match) => {
    const [, indent = '', , kind = '', block = '', end = ''] = match;
    const line = lineAt(match.index);
    if (end === '') throw new Error(`${page}:${line}: this fence does not end.`);
    const text = block.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    if (!isFenceKind(kind)) {
      throw new Error(`${page}:${line}: a fence is one of ${FENCE_KINDS.join(', ')}; this is "${kind}".`);
    }
    return { page, line, kind, text, fileName: FILE_NAME.exec(text)?.[1] ?? null };
  });
}

function isFenceKind(kind: string): kind is FenceKind {
  return (FENCE_KINDS as readonly string[]).includes(kind);
}
