/** How far a chain of causes is followed: as far as any is told. */
const MAX_CAUSES = 3;

/**
 * An error as it was, but without the name of a file, which may be that of its candidate: what stores and their clients
 * say of a file that they did not take often names it. Without its extension, with other characters between its words,
 * and spelled for a URL, it is the same name.
 */
export function withoutName(error: unknown, fileName: string): unknown {
  const pattern = patternOf(fileName);
  return pattern === null ? error : copyWithout(error, pattern, MAX_CAUSES);
}

/** An heir: whatever else it is asked for, it answers as the error does. Its frames name files of the code alone. */
function copyWithout(error: unknown, pattern: RegExp, causes: number): unknown {
  if (!(error instanceof Error)) return error;
  const { stack, cause } = error;
  const message = String(error.message);
  return Object.create(error, {
    message: { value: message.normalize('NFC').replace(pattern, '…') },
    stack: { value: stack?.replace(message, () => '') },
    cause: { value: causes === 0 ? undefined : copyWithout(cause, pattern, causes - 1) },
  });
}

/** Null of a name that has neither letter nor digit. A host's own source may, in JavaScript, give none. */
function patternOf(fileName: string): RegExp | null {
  const stem = String(fileName)
    .normalize('NFC')
    .replace(/\.[^.]*$/, '');
  const spellings = [stem, encodeURIComponent(stem.toWellFormed())].map(spellingOf);
  if (spellings.includes('')) return null;
  return new RegExp(`(?<![\\p{L}\\p{N}])%?(?:${spellings.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

/** Its words, which need no escape, whatever stands between them. */
function spellingOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.join('[^\\p{L}\\p{N}]{0,3}');
}
