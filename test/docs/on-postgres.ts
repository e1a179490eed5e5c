/** What the pages on PostgreSQL need: a database of their own, and what they print and open. */
import { randomBytes } from 'node:crypto';
import type { PartnerHiring } from '@partner-hiring/core';
import { postgresUrl } from '@partner-hiring/test-support/postgres/database';
import { Client, type Pool } from 'pg';
import { onTestFinished } from 'vitest';
import { exported, partnerHiringOf } from './exported.js';
import type { Page } from './tell.js';

export const PARTNER_HIRING_SEALING_KEY = '0123456789abcdef'.repeat(4);

/** Runs SQL on a database and returns the rows. */
export async function runSql(connectionString: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows ?? [];
  } finally {
    await client.end();
  }
}

/** Creates a database, and drops it after the test. */
export async function createDatabase(): Promise<string> {
  const name = `docs_${randomBytes(4).toString('hex')}`;
  await runSql(postgresUrl(), `create database ${name}`);
  onTestFinished(async () => void (await runSql(postgresUrl(), `drop database ${name} with (force)`)));
  const url = new URL(postgresUrl());
  url.pathname = `/${name}`;
  return url.href;
}

/** Returns the partner API of `on-postgres.ts`. It is closed after the test. */
export async function onPostgres(page: Page): Promise<PartnerHiring<Client>> {
  const exports = await page.load('on-postgres.ts');
  onTestFinished(() => exported<Pool>(exports, 'pool').end());
  return partnerHiringOf<Client>(page, 'on-postgres.ts');
}
