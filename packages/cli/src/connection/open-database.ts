import { statSync } from 'node:fs';
import {
  createPartnerHiring,
  type Logger,
  RATE_LIMITS,
  type ResumeSink,
  type Storage,
} from '@partner-hiring/core';
import type { OptionValues } from '../command/command-option.js';
import type { OpenedOperator } from '../run-program.js';
import { ConnectionError } from './connection-error.js';
import { type ProcessEnvironment, readDeployment } from './connection-options.js';
import type { DatabaseTarget } from './database-target.js';
import { describeDatabaseError } from './describe-database-error.js';
import { loadPostgres, loadSqlite, type StoragePackages } from './load-storage.js';
import { assertSealedWith, createSealingBox, readSealingKey } from './sealing-key.js';

/** What an operator on a database needs. */
export interface DatabaseOptions {
  readonly target: DatabaseTarget;
  /** The values of `CONNECTION_OPTIONS`. */
  readonly globals: OptionValues;
  readonly env: ProcessEnvironment;
  readonly logger: Logger;
  /** Whether to check that the sealing key is the server's. */
  readonly usesSealingKey: boolean;
  /** Replaces the installed storages. For tests. */
  readonly packages?: StoragePackages | undefined;
}

/**
 * Opens the operator on a database. Creates and migrates no tables.
 *
 * @throws ConnectionError if the database cannot be used, or the sealing key is not the one of the server.
 */
export async function openDatabase(options: DatabaseOptions): Promise<OpenedOperator> {
  const { target } = options;
  try {
    return await (target.kind === 'postgres' ? openPostgres(target, options) : openSqlite(target, options));
  } catch (error) {
    const text = describeDatabaseError(error, target);
    throw text === null ? error : new ConnectionError(text, { cause: error });
  }
}

/** A command runs one statement after the other, except for some reads. */
const MAX_CONNECTIONS = 4;

async function openPostgres(
  { connectionString, schema, schemas }: Extract<DatabaseTarget, { kind: 'postgres' }>,
  options: DatabaseOptions,
): Promise<OpenedOperator> {
  const { createPostgresStorage } = await loadPostgres(options.packages);
  const storage = await createPostgresStorage({
    connectionString,
    migrate: 'never',
    maxConnections: MAX_CONNECTIONS,
    // So that commands work behind every pooler.
    pipeline: false,
    schema,
    schemas,
  });
  return operate(storage, options);
}

async function openSqlite(
  { file, source }: Extract<DatabaseTarget, { kind: 'sqlite' }>,
  options: DatabaseOptions,
): Promise<OpenedOperator> {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) {
    throw new ConnectionError(
      `The file ${file} does not exist. Check ${source}, or start the server first: it creates the file.`,
    );
  }
  const { createSqliteStorage } = await loadSqlite(options.packages);
  return operate(await createSqliteStorage({ file, migrate: 'never' }), options);
}

/** For an operator that stores and removes no résumés: workers do. */
const NO_RESUMES: ResumeSink = {
  store: async () => {
    throw new Error('The command line stores no résumés.');
  },
  remove: async () => {
    throw new Error('The command line removes no résumés.');
  },
};

/** Only the server knows its limits: here, each limit that is given counts as lower. */
const UNKNOWN_LIMITS = Object.fromEntries(
  Object.keys(RATE_LIMITS).map((kind) => [kind, Number.MAX_SAFE_INTEGER]),
);

async function operate<HostTx, StorageTx>(
  storage: Storage<HostTx, StorageTx>,
  { globals, env, logger, usesSealingKey }: DatabaseOptions,
): Promise<OpenedOperator> {
  try {
    const sealing = readSealingKey(globals, env);
    const secretBox = createSealingBox(sealing);
    if (usesSealingKey && sealing !== null) await assertSealedWith(storage, sealing, secretBox);
    return createPartnerHiring({
      storage,
      secretBox,
      deployment: readDeployment(env),
      logger,
      requestLog: false,
      // Only workers store or remove résumés, and no command does. A sink in a folder could fail, because the working
      // folder may be read-only.
      resumeSink: NO_RESUMES,
      limits: UNKNOWN_LIMITS,
      sandbox: globals.sandbox === true,
      decideFromReceived: globals['decide-from-received'] === true,
      allowPrivateNetworks: globals['allow-private-networks'] === true,
    });
  } catch (error) {
    await storage.close();
    throw error;
  }
}
