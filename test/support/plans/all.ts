import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PlannedQuery } from './planned-query.js';

/** What the files beside the queries are for. */
const OTHERS: readonly string[] = ['all.ts', 'planned-query.ts'];

const FILES = readdirSync(fileURLToPath(new URL('.', import.meta.url))).filter(
  (file) => !OTHERS.includes(file),
);

/** Every query whose plan matters. The tests of both storages read this table. Each file here has the queries of a part. */
export const PLANNED_QUERIES = (await Promise.all(FILES.sort().map(queriesOf))).flat();

async function queriesOf(file: string): Promise<readonly PlannedQuery[]> {
  const name = file.replace('.ts', '');
  const { QUERIES } = (await import(`./${name}.ts`)) as { readonly QUERIES: readonly PlannedQuery[] };
  return QUERIES;
}
