import type { PostgresTransaction } from '@partner-hiring/postgres';
import { fromPostgresJs, inPostgresJs } from '@partner-hiring/postgres/postgres-js';
import postgres, { type TransactionSql } from 'postgres';
import { type PostgresLibrary, untyped } from '../libraries/postgres-library.js';
import { type HostWork, idsOf } from '../library.js';

export const postgresJsLibrary: PostgresLibrary = {
  name: 'postgres.js',
  open: async ({ connectionString, schema }) => {
    const sql = postgres(connectionString, {
      max: 3,
      fetch_types: false,
      onnotice: () => {},
      transform: { ...postgres.camel, undefined: null },
    });
    const workIn = (tx: TransactionSql): HostWork<PostgresTransaction> => ({
      hostTx: fromPostgresJs(tx),
      insert: async (id) => tx`insert into ${tx(schema)}.hire ${tx({ id })}`,
      run: async (text) => tx.unsafe(text),
      nested: (work) => tx.savepoint((inner) => work(workIn(inner))),
    });
    return {
      transaction: (work) => sql.begin((tx) => work(workIn(tx))),
      inbox: untyped({
        transaction: inPostgresJs(sql),
        receive: async (items: Parameters<typeof idsOf>[0], { tx }: { readonly tx: TransactionSql }) => {
          await tx`insert into ${tx(schema)}.hire ${tx(idsOf(items))}`;
        },
      }),
      wrong: [
        // @ts-expect-error -- outside a transaction, each statement may run on another connection
        ['the connections', () => fromPostgresJs(sql)],
      ],
      abandon: () => sql.end({ timeout: 0 }),
      close: () => sql.end(),
    };
  },
};
