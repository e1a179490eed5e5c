import { existsSync } from 'node:fs';
import { dirname, parse, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The kind of database that a text names. */
export type DatabaseValue =
  | { readonly kind: 'postgres'; readonly connectionString: string }
  | { readonly kind: 'sqlite'; readonly file: string }
  /** The problem is one or more sentences. It never repeats the text, because the text may contain a password. */
  | { readonly kind: 'refused'; readonly problem: string };

/** What a database is called in help and errors. */
export const DATABASE_EXAMPLES = 'postgres://user@host:5432/database or data/partner-hiring.sqlite';

const IS_POSTGRES_URL = /^postgres(?:ql)?:\/\//i;

/**
 * Matches a URL that `pg` can read in only one way, so that its errors name the host and the user, but no part of the
 * password. The password itself may contain `@`, as in `pg`.
 */
const HOST = String.raw`(?:[\w.%-]*|\[[\da-f:.]+\])(?::\d{1,5})?`;
const POSTGRES_URL = new RegExp(
  `^[a-z]+://(?:[^/?#\\s]*@)?${HOST}(?:,${HOST})*(?:/[^?#@\\s"'\`<>]*)?(?:\\?[^#@\\s"'\`<>]*)?$`,
  'i',
);

/** Reads a text as a PostgreSQL URL, or as the path or `file:` URL of a SQLite file, which need not exist. */
export function readDatabaseValue(given: string): DatabaseValue {
  const text = given.trim();
  if (IS_POSTGRES_URL.test(text)) {
    return POSTGRES_URL.test(text) ? { kind: 'postgres', connectionString: text } : refused(ENCODE);
  }
  const path = pathOf(text);
  return path !== null && isPath(path) ? { kind: 'sqlite', file: resolve(path) } : refused(hintOn(text));
}

const ENCODE =
  'Characters of the user and the password that have a meaning in a URL must be percent-encoded: # as %23, / as %2F, ? as %3F, @ ' +
  'as %40.';

/** Returns null for a URL of another machine. */
function pathOf(text: string): string | null {
  if (text.startsWith('file://')) {
    try {
      return fileURLToPath(text);
    } catch {
      return null;
    }
  }
  // Prisma names SQLite files like this.
  return text.startsWith('file:') ? text.slice('file:'.length).replace(/\?.*$/s, '') : text;
}

const PLAIN_PATH = /^(?:[a-z]:(?=[\\/]))?(?!\/\/)[\p{L}\p{M}\p{N}_.~+()%,\\/-]+$/iu;

/**
 * Returns whether a text is meant as a path. A URL with a password has characters that few paths have. With such
 * characters, the text counts as a path only if its folder exists. The name of the working folder does not matter.
 */
function isPath(text: string): boolean {
  const here = process.cwd() + sep;
  const path = text.startsWith(here) ? text.slice(here.length) : text;
  if (PLAIN_PATH.test(path)) return true;
  if (/[\p{Cc}]/u.test(path) || /^\/\//.test(path)) return false;
  if (existsSync(path)) return true;
  const folder = dirname(path);
  const hasFolder = /^\.{1,2}[\\/]/.test(path) || folder !== '.';
  return hasFolder && folder !== parse(folder).root && existsSync(folder);
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/^["'`“”‘’«]|["'`”’»]$/, 'It is in quotes: remove them.'],
  [/^jdbc:/i, 'It starts with jdbc:, so it is an address for Java.'],
  [/^postgres\w*:(?!\/\/)/i, 'A PostgreSQL URL has two slashes behind the colon.'],
  [/^file:\/\//i, 'A file: URL must be of this machine.'],
  [/\w\s*=/, 'It looks like a list of settings: write them as a URL.'],
];

function hintOn(text: string): string {
  const scheme = /^([a-z]{2,12}):\/\//i.exec(text)?.[1];
  const known = HINTS.find(([pattern]) => pattern.test(text))?.[1];
  return known ?? (scheme === undefined ? '' : `It starts with ${scheme}://.`);
}

function refused(hint: string): DatabaseValue {
  const problem = `must be a PostgreSQL URL or the path of a SQLite file, such as ${DATABASE_EXAMPLES}. ${hint}`;
  return { kind: 'refused', problem: problem.trim() };
}
