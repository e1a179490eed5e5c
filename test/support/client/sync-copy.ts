import type { Partner } from '../partner.js';

/** A loosely typed row. */
export type Row = Readonly<Record<string, unknown>>;

export type OnRow = (row: Row) => void;

/**
 * Reads the changes of a list since the last call, page by page, and returns the next `since`.
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

/** Waits one event-loop turn, so that the list can change between two pages. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
