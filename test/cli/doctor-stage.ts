import { join } from 'node:path';
import { type ApplicationId, createPartnerHiring, type KeyId, type Storage } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { createTestSchema, postgresUrl } from '@partner-hiring/test-support/postgres/database';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import {
  type DatabaseAddress,
  type DoctorContext,
  type DoctorResult,
  runDoctor,
} from '../../packages/cli/src/index.js';
import { createBuilders } from '../../packages/testing/src/builders.js';

/** 32 bytes in base64. */
export const SEALING_KEY = Buffer.from('0123456789abcdef0123456789ABCDEF').toString('base64');

export const IS_POSTGRES = process.env.STORAGE === 'postgres';

const BASE_PATH = '/api/v1/external';

/** A database of a test, and the doctor for it. */
export interface DoctorStage {
  readonly database: DatabaseAddress;
  /** Runs statements on the tables of the library. */
  run(sql: string): Promise<void>;
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Runs one statement as it is, outside a transaction. */
  runAlone(statement: string): Promise<void>;
  /** Opens a storage. By default, that migrates the tables. The caller closes it. */
  open(migrate?: 'at_start' | 'never'): Promise<Storage<unknown>>;
  /** Runs the doctor with the right sealing key. */
  check(context?: Partial<DoctorContext>): Promise<Results>;
}

/** The results by the name of their check. */
export type Results = ReadonlyMap<string, DoctorResult>;

/** Creates a database without tables. It is removed when the test has ended. */
export function createEmptyStage(connectionString?: string): DoctorStage {
  return IS_POSTGRES ? createPostgresStage(connectionString ?? postgresUrl()) : createSqliteStage();
}

function withDoctor(stage: Omit<DoctorStage, 'check'>): DoctorStage {
  return {
    ...stage,
    check: async (context = {}) => {
      const { checks } = await runDoctor({ database: stage.database, secretKey: SEALING_KEY, ...context });
      return new Map(checks.map((check) => [check.name, check]));
    },
  };
}

function createSqliteStage(): DoctorStage {
  const folder = temporaryFolder();
  const file = join(folder, 'test.sqlite');
  const within = <T>(work: (handle: Sqlite.Database) => T): T => {
    const handle = new Sqlite(file);
    try {
      return work(handle);
    } finally {
      handle.close();
    }
  };
  return withDoctor({
    database: { kind: 'sqlite', file },
    run: async (sql) => void within((handle) => handle.exec(sql)),
    rows: async (sql) => within((handle) => handle.prepare<[], Record<string, unknown>>(sql).all()),
    runAlone: async (statement) => void within((handle) => handle.exec(statement)),
    open: (migrate = 'at_start') => createSqliteStorage({ file, migrate }),
  });
}

function createPostgresStage(address: string): DoctorStage {
  const { schema, connectionString, run, drop } = createTestSchema(address);
  onTestFinished(drop);
  const path = `set search_path = ${schema}; `;
  return withDoctor({
    database: { kind: 'postgres', connectionString, schema },
    run: async (sql) => void (await run(path + sql)),
    rows: (sql) => run(sql.replaceAll(/\bph_/g, `${schema}.ph_`)),
    runAlone: async (statement) => void (await run(statement)),
    open: (migrate = 'at_start') => createPostgresStorage({ connectionString, schema, migrate }),
  });
}

/** What is in a filled database. */
export interface Filled {
  readonly keyId: KeyId;
  readonly applicationId: ApplicationId;
}

/** Creates a database with tables, a partner and an application. */
export async function createFilledStage(connectionString?: string): Promise<DoctorStage> {
  const stage = createEmptyStage(connectionString);
  await fillStage(stage);
  return stage;
}

/** Migrates the database, and adds a partner with an endpoint, a job and an application. */
export async function fillStage(stage: DoctorStage, migrate?: 'never'): Promise<Filled> {
  const partnerHiring = createPartnerHiring<unknown, unknown>({
    storage: await stage.open(migrate),
    secretKey: SEALING_KEY,
  });
  const { createApplication } = createBuilders({
    operator: partnerHiring.operator,
    fetch: (request) => partnerHiring.fetch(request),
    basePath: BASE_PATH,
    waitFor: async () => {
      throw new Error('Nothing is sent.');
    },
  });
  const { application, key } = await createApplication();
  await partnerHiring.close();
  return { keyId: key.keyId, applicationId: application.id };
}
