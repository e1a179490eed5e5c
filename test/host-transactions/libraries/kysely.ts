import type { PostgresTransaction } from '@partner-hiring/postgres';
import { inKysely } from '@partner-hiring/postgres/kysely';
import {
  CamelCasePlugin,
  Kysely,
  ParseJSONResultsPlugin,
  PostgresDialect,
  sql,
  type Transaction,
} from 'kysely';
import { type HireRow, type HostWork, idsOf } from '../library.js';
import { openPool, type PostgresLibrary, untyped } from './postgres-library.js';

interface Tables {
  hire: HireRow;
}

export const kyselyLibrary: PostgresLibrary = {
  name: 'Kysely',
  open: async (place) => {
    const db = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: openPool(place) }),
      plugins: [new CamelCasePlugin(), new ParseJSONResultsPlugin()],
    }).withSchema(place.schema);
    const workIn = (trx: Transaction<Tables>): HostWork<PostgresTransaction> => ({
      hostTx: trx,
      insert: (id) => trx.insertInto('hire').values({ id }).execute(),
      run: (text) => sql.raw(text).execute(trx),
    });
    return {
      transaction: (work) => db.transaction().execute((trx) => work(workIn(trx))),
      inbox: untyped({
        transaction: inKysely(db),
        receive: (items: Parameters<typeof idsOf>[0], { tx }: { readonly tx: Transaction<Tables> }) =>
          tx.insertInto('hire').values(idsOf(items)).execute(),
      }),
      wrong: [
        // @ts-expect-error -- not the instance, but a transaction of it
        ['the instance', (): PostgresTransaction => db],
      ],
      close: () => db.destroy(),
    };
  },
};
