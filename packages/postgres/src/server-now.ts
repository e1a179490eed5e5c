/** The server's clock in whole milliseconds. */
export const CLOCK_NOW =
  'pg_catalog.floor(extract(epoch from pg_catalog.clock_timestamp()) * 1000::numeric)::bigint';
