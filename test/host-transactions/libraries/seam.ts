import type { PostgresStatements, PostgresTransaction } from '@partner-hiring/postgres';
import { Pool, type PoolClient } from 'pg';
import { type HostWork, idsOf } from '../library.js';
import { openPool, type PostgresLibrary, untyped } from './postgres-library.js';

/** A library without an adapter. Its pool has one connection, so that only the check of the transaction can fail. */
export const seamLibrary: PostgresLibrary = {
  name: 'a library without an adapter',
  open: async (place) => {
    const pool = openPool(place);
    const alone = new Pool({ connectionString: place.connectionString, max: 1 });
    const statements = (on: Pool | PoolClient): PostgresStatements => ({
      library: 'Acme SQL',
      query: async (text, values) => (await on.query(text, values)).rows,
    });
    const insert = (client: PoolClient, id: string) =>
      client.query(`insert into ${place.schema}.hire values ($1)`, [id]);
    const workIn = (client: PoolClient): HostWork<PostgresTransaction> => ({
      hostTx: statements(client),
      insert: (id) => insert(client, id),
      run: (text) => client.query(text),
    });
    const transaction = async (run: (client: PoolClient) => Promise<void>) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await run(client);
        await client.query('commit');
        client.release();
      } catch (error) {
        client.release(true);
        throw error;
      }
    };
    return {
      transaction: (work) => transaction((client) => work(workIn(client))),
      inbox: untyped({
        transaction: (run: (hostTx: PostgresTransaction, tx: PoolClient) => Promise<void>) =>
          transaction((client) => run(statements(client), client)),
        receive: async (items: Parameters<typeof idsOf>[0], { tx }: { readonly tx: PoolClient }) => {
          for (const { id } of idsOf(items)) await insert(tx, id);
        },
      }),
      wrong: [],
      outside: [['statements outside a transaction', statements(alone)]],
      close: () => Promise.all([pool.end(), alone.end()]),
    };
  },
};
