/** The platform before it has partners: its database and its tables. */
import { drizzle } from 'drizzle-orm/node-postgres';
import { boolean, numeric, pgTable, text } from 'drizzle-orm/pg-core';
import pg from 'pg';

export const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  connectionTimeoutMillis: 5_000,
});
// Without these listeners, a lost connection would end the process.
pool.on('error', () => {});
pool.on('connect', (client) => client.on('error', () => {}));

export const db = drizzle(pool);

export const employer = pgTable('employer', { id: text('id').primaryKey(), name: text('name').notNull() });

export const opening = pgTable('opening', {
  id: text('id').primaryKey(),
  employerId: text('employer_id').notNull(),
  title: text('title').notNull(),
  city: text('city').notNull(),
  payFrom: numeric('pay_from', { mode: 'number' }),
  payTo: numeric('pay_to', { mode: 'number' }),
  isOpen: boolean('is_open').notNull(),
});

export const candidate = pgTable('candidate', {
  applicationId: text('application_id').primaryKey(),
  openingId: text('opening_id').notNull(),
  name: text('name').notNull(),
  status: text('status').notNull(),
});
