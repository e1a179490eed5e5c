/** A host on Express, with its candidates in Drizzle. */
import { type ApplicationId, createPartnerHiring } from '@partner-hiring/core';
import { partnerHiringExpress } from '@partner-hiring/express';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { fromDrizzle, inDrizzle } from '@partner-hiring/postgres/drizzle';
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import express from 'express';
import pg from 'pg';
import { seed } from './seed.js';

const candidate = pgTable('candidate', {
  applicationId: text('application_id').primaryKey(),
  name: text('name').notNull(),
  status: text('status').notNull(),
});

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 5_000 });
pool.on('error', () => {});
pool.on('connect', (client) => client.on('error', () => {}));
const db = drizzle(pool);
await db.execute(
  sql`create table if not exists candidate (application_id text primary key, name text, status text)`,
);
const partnerHiring = createPartnerHiring({
  storage: await createPostgresStorage({ pool }),
  secretKey: process.env.PARTNER_HIRING_SEALING_KEY ?? '',
  allowPrivateNetworks: process.env.ALLOW_PRIVATE_NETWORKS === 'yes',
  inbox: {
    transaction: inDrizzle(db, sql),
    async receive(items, { tx }) {
      for (const { kind, applicationId, application } of items) {
        if (kind === 'candidate.erased')
          await tx.delete(candidate).where(eq(candidate.applicationId, applicationId));
        if (kind !== 'application.submitted') continue;
        const { firstName, lastName } = application.candidate;
        const row = { applicationId, name: `${firstName} ${lastName}`, status: 'new' };
        await tx.insert(candidate).values(row);
      }
    },
  },
});

const app = express();
app.use(partnerHiringExpress(partnerHiring));
app.get('/candidates', async (_request, response) => {
  response.json(await db.select().from(candidate));
});
app.post('/candidates/:id/hire', async (request, response) => {
  const id = request.params.id as ApplicationId;
  await db.transaction(async (tx) => {
    await tx.update(candidate).set({ status: 'hired' }).where(eq(candidate.applicationId, id));
    const { applications } = partnerHiring.operator.within(fromDrizzle(tx, sql));
    await applications.beginEvaluation({ id });
    await applications.decide({ id, decision: 'accepted' });
  });
  partnerHiring.worker.wake();
  response.status(204).end();
});

await seed(partnerHiring);
partnerHiring.worker.start();
app.listen(Number(process.env.PORT), '127.0.0.1');
