import type { PostgresValue } from './host-statements.js';

/** A statement that is split at its placeholders. A value follows each part except the last. */
export interface SplitStatement {
  readonly parts: readonly string[];
  /** In the order of the placeholders. A value that the statement uses twice occurs twice. */
  readonly values: readonly PostgresValue[];
}

/** Splits a statement at placeholders such as `$1`, for libraries with placeholders of their own. */
export function splitAtPlaceholders(text: string, values: readonly PostgresValue[]): SplitStatement {
  const parts: string[] = [];
  const bound: PostgresValue[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    const [placeholder, number] = match;
    if (number === undefined) continue;
    parts.push(text.slice(end, match.index));
    bound.push(values[Number(number) - 1] ?? null);
    end = match.index + placeholder.length;
  }
  return { parts: [...parts, text.slice(end)], values: bound };
}

/** Matches a placeholder. Also matches quoted text, so that a `$1` in it is skipped. */
const PLACEHOLDER = /\$(\d+)|"(?:[^"]|"")*"|'(?:[^']|'')*'/g;
