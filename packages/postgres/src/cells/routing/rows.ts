/** Small questions of the routes about arguments and results. */

type Scope = { readonly keyId: string } | object | null;

/** Returns the key if the rows of one key are asked for. */
export function keyOfScope({ scope }: { readonly scope: Scope }): string | null {
  return scope !== null && 'keyId' in scope ? scope.keyId : null;
}

/**
 * Never a miss, because most of these rows do not exist yet. If the partner has moved, the insert that follows fails.
 */
export function noMiss(): boolean {
  return false;
}

/** A key without a feed head is not in the cell. */
export function lacksHead({ head }: { readonly head: number }): boolean {
  return head === 0;
}

/** A key without a feed head, or one whose log does not record every event. */
export function isNotRecorded({ recordedAfter }: { readonly recordedAfter: number | null }): boolean {
  return recordedAfter === null;
}

export function isRefused(done: boolean): boolean {
  return !done;
}

export function includesNull(found: readonly unknown[]): boolean {
  return found.includes(null);
}

export function distinct<Row>(rows: readonly Row[], nameOf: (row: Row) => string): readonly Row[] {
  return [...new Map(rows.map((row) => [nameOf(row), row])).values()];
}
