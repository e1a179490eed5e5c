import type { PostgresTransaction } from '@partner-hiring/postgres';
import { inPg } from '@partner-hiring/postgres/pg';
import type { ClientBase } from 'pg';
import { type HostWork, idsOf } from '../library.js';
import { openPool, type PostgresLibrary, untyped } from './postgres-library.js';

export const pgLibrary: PostgresLibrary = {
  name: 'pg',
  open: async (place) => {
    const pool = openPool(place);
    const inTransaction = inPg(pool);
    const insert = (client: ClientBase, id: string) =>
      client.query(`insert into ${place.schema}.hire values ($1)`, [id]);
    const workIn = (client: ClientBase): HostWork<PostgresTransaction> => ({
      hostTx: client,
      insert: (id) => insert(client, id),
      run: (text) => client.query(text),
      nested: async (work) => {
        await client.query('savepoint inner_work');
        try {
          await work(workIn(client));
        } catch (error) {
          await client.query('rollback to savepoint inner_work');
          throw error;
        }
      },
    });
    return {
      transaction: (work) => inTransaction((_hostTx, client) => work(workIn(client))),
      inbox: untyped({
        transaction: inPg(pool),
        receive: async (items: Parameters<typeof idsOf>[0], { tx }: { readonly tx: ClientBase }) => {
          for (const { id } of idsOf(items)) await insert(tx, id);
        },
      }),
      wrong: [
        // @ts-expect-error -- each statement of a pool may run on another connection
        ['the pool', (): PostgresTransaction => pool],
      ],
      close: () => pool.end(),
    };
  },
};
