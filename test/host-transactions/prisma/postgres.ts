import type { InboxItem } from '@partner-hiring/core';
import type { PostgresTransaction } from '@partner-hiring/postgres';
import { fromPrisma, inPrisma } from '@partner-hiring/postgres/prisma';
import { PrismaPg } from '@prisma/adapter-pg';
import { type PostgresLibrary, untyped } from '../libraries/postgres-library.js';
import { type HostWork, idsOf } from '../library.js';
import { type Prisma, PrismaClient } from './generated/postgres/client.js';

export const prismaLibrary: PostgresLibrary = {
  name: 'Prisma',
  open: async ({ connectionString, schema }) => {
    const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString, max: 3 }, { schema }) });
    const workIn = (tx: Prisma.TransactionClient): HostWork<PostgresTransaction> => ({
      hostTx: fromPrisma(tx),
      insert: (id) => tx.hire.create({ data: { id } }),
      run: (text) => tx.$executeRawUnsafe(text),
    });
    return {
      transaction: (work) => prisma.$transaction((tx) => work(workIn(tx))),
      inbox: untyped({
        transaction: inPrisma(prisma),
        receive: async (items: readonly InboxItem[], { tx }: { readonly tx: Prisma.TransactionClient }) => {
          await tx.hire.createMany({ data: idsOf(items) });
        },
      }),
      wrong: [
        // @ts-expect-error -- the client may run each statement on another connection
        ['the client', () => fromPrisma(prisma)],
      ],
      close: () => prisma.$disconnect(),
    };
  },
};
