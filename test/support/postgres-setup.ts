import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The database of this run. */
    postgresUrl: string;
  }
}

/** One PostgreSQL for each run of the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide('postgresUrl', server.url);
  return server.stop;
}
