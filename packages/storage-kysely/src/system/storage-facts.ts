import type { StorageFactsRepository } from '@partner-hiring/core/ports';
import type { Prepare } from '../preparation.js';
import { define } from '../statement.js';

export const prepareStorageFacts: Prepare<StorageFactsRepository> = ({ queries, name, databaseVersion }) => {
  const find = define(() =>
    queries
      .selectFrom('ph_schema_migration')
      .select((eb) => [databaseVersion.as('version'), eb.fn.max('version').as('schema_version')]),
  );
  return (session) => ({
    find: () =>
      session.read(async (run) => {
        const row = await run.first(find, {});
        return { kind: name, version: row?.version ?? '', schemaVersion: row?.schema_version ?? 0 };
      }),
  });
};
