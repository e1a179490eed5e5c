import pg from 'pg';

/** @throws Error if the database is unreachable. */
export async function assertAnswers(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  await client.end();
}
