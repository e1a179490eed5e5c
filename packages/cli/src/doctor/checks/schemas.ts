import { onPostgres } from '../check.js';
import { loadPostgres } from '../database/load-packages.js';

/** Are the named schemas all schemas of the storage, in its order? The other checks look only at the named ones. */
export const SCHEMA_LIST = onPostgres('schema-list', ['schema-version'], async ({ reader }, { address }) => {
  if (address.kind !== 'postgres') throw new Error('Only PostgreSQL has schemas.');
  const { inspectPostgresSchemas } = await loadPostgres();
  const { state, finding, fix } = await inspectPostgresSchemas(reader, address.schemas);
  return { state, finding, fix };
});
