import { CLI_FEATURES, type CliFeature } from '../features/features.js';
import type { DoctorCheck } from './check.js';
import { STORAGE } from './checks/database.js';
import { DEPLOYMENT_CHECK } from './checks/deployment.js';
import { PUBLIC_API, RIGHTS } from './checks/rights.js';
import {
  INVALID_INDEXES,
  MIGRATION_LEASE,
  SCHEMA,
  SCHEMA_LIST,
  SCHEMA_VERSION,
  TABLES,
} from './checks/schema.js';
import { SEALING_KEY } from './checks/sealing-key.js';
import {
  CLOCK,
  CONNECTIONS,
  DURABILITY_CHECK,
  PIPELINE,
  POOLER,
  RDS_PROXY,
  SERVER,
  TRANSACTIONS,
} from './checks/server.js';
import { FILE, FILE_SYSTEM, JOURNAL_MODE, SPACE, SQLITE } from './checks/sqlite-file.js';

/** The checks of a database in their order: each comes after those that it needs. */
export const DATABASE_CHECKS: readonly DoctorCheck[] = [
  SERVER,
  POOLER,
  PIPELINE,
  RDS_PROXY,
  DURABILITY_CHECK,
  CLOCK,
  CONNECTIONS,
  TRANSACTIONS,
  FILE,
  FILE_SYSTEM,
  SQLITE,
  SPACE,
  TABLES,
  JOURNAL_MODE,
  RIGHTS,
  PUBLIC_API,
  SCHEMA_VERSION,
  MIGRATION_LEASE,
  INVALID_INDEXES,
  SCHEMA,
  SCHEMA_LIST,
  STORAGE,
  DEPLOYMENT_CHECK,
  SEALING_KEY,
  ...CLI_FEATURES.flatMap(({ checks = [] }: CliFeature) => checks),
];

/** The names of all checks, in their order. */
export const CHECK_NAMES: readonly string[] = [
  'node',
  'packages',
  'proxy',
  'database',
  ...DATABASE_CHECKS.map(({ name }) => name),
];

/**
 * The checks that run for each further schema too. All others check the server, or read with the storage, which uses
 * all schemas.
 */
export const CHECKS_OF_EACH_SCHEMA: ReadonlySet<string> = new Set(
  [TABLES, RIGHTS, PUBLIC_API, SCHEMA_VERSION, MIGRATION_LEASE, INVALID_INDEXES, SCHEMA].map(
    ({ name }) => name,
  ),
);

/** Runs the checks of `migrate --check` with the role that migrates. */
export const CHECKS_OF_SCHEMA: readonly DoctorCheck[] = [
  TABLES,
  SCHEMA_VERSION,
  MIGRATION_LEASE,
  INVALID_INDEXES,
  SCHEMA,
];
