import type { InboxItem, PartnerId, Storage } from '@partner-hiring/core';
import { createPostgresStorage, movePostgresPartner } from '@partner-hiring/postgres';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import type { Partner } from '@partner-hiring/test-support/partner';
import { createTestSchema, namesOfSchemas } from '@partner-hiring/test-support/postgres/database';
import type { HostTransaction } from '@partner-hiring/test-support/storages';
import { Pool } from 'pg';

/** The number of cells of a stage. */
export const CELLS = 3;

/** Opens an empty database. */
export async function openMovesStage() {
  const database = createTestSchema(undefined, CELLS);
  const schemas = namesOfSchemas(database);
  const pool = new Pool({ connectionString: database.connectionString, max: 12, pipeline: true });
  const fixtures: Fixture[] = [];
  const items: InboxItem[] = [];
  return {
    database,
    pool,
    /** The cells. */
    schemas,
    /** The items that the host received from the inbox. */
    items,
    /** Starts a process of the platform, with the inbox. */
    open: async (names = schemas) => {
      const clock = createFakeClock();
      const opened = await createPostgresStorage({ pool, schemas: names, clock });
      const storage = opened as Storage<HostTransaction>;
      const limits = { submit_application: 100_000, read_application: 100_000, list_applications: 100_000 };
      const inbox = { receive: async (received: readonly InboxItem[]) => void items.push(...received) };
      const fixture = await createFixture({ storage, limits, inbox }, {}, clock);
      fixtures.push(fixture);
      return fixture;
    },
    move: (partnerId: PartnerId, to: string) => movePostgresPartner({ pool, schemas, partnerId, to }),
    partnerIdOf: async ({ operator }: Fixture, { keyId }: Partner) =>
      (await operator.keys.find({ id: keyId }))?.key.partnerId ?? 'ptn_none',
    /** Returns the cells that have a partner. */
    cellOf: async (partnerId: PartnerId) => {
      const found: string[] = [];
      for (const schema of schemas) {
        const rows = await database.run(`select id from ${schema}.ph_partner where id = $1`, [partnerId]);
        if (rows.length > 0) found.push(schema);
      }
      return found;
    },
    countIn: async (schema: string, table: string) => {
      const [row] = await database.run(`select count(*)::int as count from ${schema}.${table}`);
      return Number(row?.count);
    },
    close: async () => {
      for (const fixture of fixtures) await fixture.close();
      await pool.end();
      await database.drop();
    },
  };
}
