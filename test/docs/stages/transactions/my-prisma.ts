/** The part of a generated Prisma client that the page uses. Prisma itself is too large for this workspace. */
export interface Transaction {
  readonly payrollEntry: {
    create(args: { readonly data: { readonly applicationId: string } }): Promise<unknown>;
  };
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>;
}

export const prisma = {
  $transaction: async <T>(_run: (tx: Transaction) => Promise<T>): Promise<T> => {
    throw new Error('Run npm run test:orms for Prisma.');
  },
};
