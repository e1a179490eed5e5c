import type { PostgresTransaction } from '@partner-hiring/postgres';
import { fromKnex, inKnex } from '@partner-hiring/postgres/knex';
import createKnex, { type Knex } from 'knex';
import { type PostgresLibrary, untyped } from '../libraries/postgres-library.js';
import { type HostWork, idsOf } from '../library.js';

export const knexLibrary: PostgresLibrary = {
  name: 'Knex',
  open: async ({ connectionString, schema }) => {
    const knex = createKnex({
      client: 'pg',
      connection: connectionString,
      pool: { min: 0, max: 3 },
      // Many hosts rename columns like this.
      postProcessResponse: (result) =>
        Array.isArray(result) ? result.map((row) => ({ ...row, isRenamed: true })) : result,
      log: { warn: () => {}, error: () => {} },
    });
    const insert = (trx: Knex.Transaction, id: string) => trx('hire').withSchema(schema).insert({ id });
    const workIn = (trx: Knex.Transaction): HostWork<PostgresTransaction> => ({
      hostTx: fromKnex(trx),
      insert: async (id) => insert(trx, id),
      run: async (text) => trx.raw(text),
      nested: (work) => trx.transaction((inner) => work(workIn(inner))),
    });
    return {
      transaction: (work) => knex.transaction((trx) => work(workIn(trx))),
      inbox: untyped({
        transaction: inKnex(knex),
        receive: async (items: Parameters<typeof idsOf>[0], { tx }: { readonly tx: Knex.Transaction }) => {
          for (const { id } of idsOf(items)) await insert(tx, id);
        },
      }),
      wrong: [
        // @ts-expect-error -- each statement of the instance may run on another connection
        ['the instance', () => fromKnex(knex)],
      ],
      close: () => knex.destroy(),
    };
  },
};
