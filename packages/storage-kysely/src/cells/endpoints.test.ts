import type { Repositories } from '@partner-hiring/core/ports';
import { expect, it } from 'vitest';
import type { Cells } from './cells.js';
import { endpointsOf } from './endpoints.js';

/** A cell with one endpoint. */
const cellWith = (name: string) =>
  ({ endpoints: { backlogs: async () => [{ keyId: `key_${name}` }] } }) as unknown as Repositories;

const cells = {
  readAll: async <T>(call: (cell: Repositories) => Promise<T>) =>
    Promise.all([call(cellWith('b')), call(cellWith('a'))]),
  of: async <T>(_: string, id: string, call: (cell: Repositories) => Promise<T>) =>
    call(cellWith(`of_${id}`)),
} as unknown as Cells;

it('backlogs of all keys come from all cells in the order of the keys, those of one key from its cell', async () => {
  const { backlogs } = endpointsOf(cells);
  expect(await backlogs(null, 0, 1)).toMatchObject([{ keyId: 'key_a' }, { keyId: 'key_b' }]);
  expect(await backlogs('key_1', 0, 1)).toMatchObject([{ keyId: 'key_of_key_1' }]);
});
