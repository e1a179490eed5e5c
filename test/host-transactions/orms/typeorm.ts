import type { PostgresTransaction } from '@partner-hiring/postgres';
import { fromTypeorm, inTypeorm } from '@partner-hiring/postgres/typeorm';
import { DataSource, type EntityManager, EntitySchema } from 'typeorm';
import { type PostgresLibrary, untyped } from '../libraries/postgres-library.js';
import { type HireRow, type HostWork, idsOf } from '../library.js';

export const typeormLibrary: PostgresLibrary = {
  name: 'TypeORM',
  open: async ({ connectionString: url, schema }) => {
    const Hire = new EntitySchema<HireRow>({
      name: 'hire',
      schema,
      columns: { id: { type: 'text', primary: true } },
    });
    const dataSource = new DataSource({
      type: 'postgres',
      url,
      entities: [Hire],
      extra: { max: 3 },
      poolErrorHandler: () => {},
      logging: false,
    });
    await dataSource.initialize();
    const workIn = (manager: EntityManager): HostWork<PostgresTransaction> => ({
      hostTx: fromTypeorm(manager),
      insert: (id) => manager.insert(Hire, { id }),
      run: (text) => manager.query(text),
      nested: (work) => manager.transaction((inner) => work(workIn(inner))),
    });
    return {
      transaction: (work) => dataSource.transaction((manager) => work(workIn(manager))),
      inbox: untyped({
        transaction: inTypeorm(dataSource),
        receive: async (items: Parameters<typeof idsOf>[0], { tx }: { readonly tx: EntityManager }) => {
          await tx.insert(Hire, idsOf(items));
        },
      }),
      wrong: [
        // @ts-expect-error -- the data source has no transaction
        ['the data source', () => fromTypeorm(dataSource)],
        ['a manager without a transaction', () => fromTypeorm(dataSource.manager)],
      ],
      close: () => dataSource.destroy(),
    };
  },
};
