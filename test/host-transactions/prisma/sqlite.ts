import type { SqliteTransaction } from '@partner-hiring/sqlite';
import { fromPrismaSqlite } from '@partner-hiring/sqlite/prisma';
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import type { SqliteLibrary } from '../libraries/sqlite-library.js';
import type { HostWork } from '../library.js';
import { type Prisma, PrismaClient } from './generated/sqlite/client.js';

export const prismaSqliteLibrary: SqliteLibrary = {
  name: 'Prisma',
  open: async (file) => {
    const prisma = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: `file:${file}` }) });
    const workIn = (tx: Prisma.TransactionClient): HostWork<SqliteTransaction> => ({
      hostTx: fromPrismaSqlite(tx),
      insert: (id) => tx.hire.create({ data: { id } }),
      run: (text) => tx.$executeRawUnsafe(text),
    });
    return {
      transaction: (work) => prisma.$transaction((tx) => work(workIn(tx))),
      wrong: [
        // @ts-expect-error -- the client runs each statement on its own
        ['the client', () => fromPrismaSqlite(prisma)],
      ],
      close: () => prisma.$disconnect(),
    };
  },
};
