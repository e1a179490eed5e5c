import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { pool } from './on-postgres.js';

export const payrollEntry = pgTable('payroll_entry', { applicationId: text('application_id').primaryKey() });

export const db = drizzle(pool);
