import { OperatorError } from '@partner-hiring/core';

/**
 * Throws if `file` is in quotes or a URL, as Prisma and other libraries write it: SQLite would take the URL for a path. The
 * message has the path.
 */
export function assertPlainPath(file: string): void {
  const text = file.trim();
  const bare = text.replace(/^(["'`])(.*)\1$/s, '$2').trim();
  const path = pathIn(bare);
  if (path === text) return;
  const source = bare === text ? 'a URL' : 'in quotes';
  const note = /^(?:\.{1,2}[\\/]|[^\\/])/.test(path)
    ? ' A relative path begins at the working folder of the process; Prisma begins at its own file.'
    : '';
  throw new OperatorError(
    'MISCONFIGURED',
    `\`file\` is ${source}. Pass the path alone: ${path === '' ? "'partner-hiring.sqlite'" : `'${path}'`}.${note}`,
  );
}

const SCHEME = /^(?:jdbc:)?(?:file|sqlite3?|better-sqlite3|libsql):/i;

/** Returns the path in a URL of a SQLite file, or the text itself. */
function pathIn(text: string): string {
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined) return text;
  const [rest = ''] = text.slice(scheme.length).split(/[?#]/);
  // `file:///x` and `sqlite:////x` are absolute, `sqlite://x` and `sqlite:///./x` are not.
  const isFileUrl = /file:$/i.test(scheme);
  const path = rest.startsWith('//')
    ? rest.slice(isFileUrl || !rest.startsWith('///') ? 2 : rest.startsWith('////') ? 3 : 2)
    : rest;
  return decoded(path);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
