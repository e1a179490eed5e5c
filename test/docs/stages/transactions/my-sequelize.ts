import type { PoolClient } from 'pg';
import { pool } from './on-postgres.js';

interface QueryOptions {
  readonly bind: unknown[];
  readonly transaction: PoolClient;
  readonly type: 'SELECT';
}

/** The part of Sequelize that the page uses. */
export const sequelize = {
  query: async (text: string, { bind, transaction }: QueryOptions): Promise<object[]> =>
    (await transaction.query<object>(text, bind)).rows,
  transaction: async <T>(run: (transaction: PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const result = await run(client);
      await client.query('commit');
      return result;
    } finally {
      client.release();
    }
  },
};
