export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an error, also one of another realm, such as those of `fetch` in Jest. */
export function isError(value: unknown): value is Error {
  return isOf('Error', value);
}

/** The `code` of an error of Node, such as `ECONNREFUSED`. Null without one. */
export function codeOf(error: unknown): string | null {
  return isError(error) && 'code' in error ? String(error.code) : null;
}

export function isDate(value: unknown): value is Date {
  return isOf('Date', value);
}

function isOf(type: 'Date' | 'Error', value: unknown): boolean {
  return Object.prototype.toString.call(value) === `[object ${type}]`;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Sorted keys: equal content gives equal text. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

/** For what the caller has passed. @throws TypeError */
export function refuse(message: string): never {
  throw new TypeError(message);
}
