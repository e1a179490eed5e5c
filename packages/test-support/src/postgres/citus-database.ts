import { createTestSchema } from './database.js';

/** A database without Citus, where the catalog of Citus says that each schema is one shard. */
export interface CitusStandIn {
  readonly url: string;
  create(): Promise<void>;
  drop(): Promise<void>;
}

/** Every table of the storage is a single-shard table, colocated with those of its schema. */
const CATALOG = `
  set allow_system_table_mods = on;
  create view pg_catalog.pg_dist_partition as
    select oid::regclass as logicalrelid, 'n'::"char" as partmethod, relnamespace::int as colocationid,
      's'::"char" as repmodel
    from pg_class where relkind = 'r' and starts_with(relname::text, 'ph_')`;

export function createCitusStandIn(): CitusStandIn {
  const { connectionString, schema: name, run } = createTestSchema();
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    create: async () => {
      await run(`create database ${name}`);
      await createTestSchema(url.href).run(CATALOG);
    },
    drop: async () => {
      await run(`drop database if exists ${name} with (force)`);
    },
  };
}
