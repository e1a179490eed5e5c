import type { Partner } from '../partner.js';

/** A row of a list, loosely typed, for assertions. */
export type Row = Readonly<Record<string, unknown>>;

/** Called with each row as it comes. */
export type OnRow = (row: Row) => void;

/**
 * One round of a partner that keeps a copy of a list: it follows the cursors from where the last round was
 * complete, and says where this one is. That is the next round's `since`.
 */
export async function syncOnce(
  partner: Pick<Partner, 'get'>,
  path: string,
  nextLimit: () => number,
  since: string | null,
  onRow: OnRow,
): Promise<string> {
  const filter = since === null ? '' : `&updated_since=${since}`;
  let cursor = '';
  for (;;) {
    const { status, json, text, headers } = await partner.get(
      `${path}?limit=${nextLimit()}${filter}${cursor}`,
    );
    if (status !== 200) throw new Error(`${path} was refused with ${status}: ${text}`);
    for (const row of json.data as Row[]) onRow(row);
    await turn();
    if (json.next_cursor === undefined) return headers.get('x-updated-through') ?? '';
    cursor = `&cursor=${String(json.next_cursor)}`;
  }
}

/** Lets others have a go, so that the list changes between two pages. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
