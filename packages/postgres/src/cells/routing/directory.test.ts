import type { Session } from '@partner-hiring/storage-kysely';
import { expect, it } from 'vitest';
import { createDirectory } from './directory.js';

/** Answers that every id is in the first cell. */
const session = {
  read: async (work: (run: unknown) => unknown) =>
    work({
      all: async (_: unknown, { rows }: { readonly rows: string }) =>
        (JSON.parse(rows) as readonly { readonly id: string }[]).map(({ id }) => ({ id, cell: 0 })),
    }),
} as unknown as Session;

it('remembers where 100,000 keys are, and drops them all for one more', async () => {
  const directory = createDirectory([]);
  const ids = Array.from({ length: 100_001 }, (_, index) => `key_${index}`);
  await directory.locate(session, 'key', ids.slice(0, 60_000));
  await directory.locate(session, 'key', ids.slice(60_000, 100_000));
  expect(directory.recall('key', 'key_0')).toBe(0);
  await directory.locate(session, 'key', ids.slice(100_000));
  expect([directory.recall('key', 'key_0'), directory.recall('key', 'key_100000')]).toEqual([undefined, 0]);
});
