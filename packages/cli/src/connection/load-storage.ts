import { isError } from '@partner-hiring/core/contract';
import { ConnectionError } from './connection-error.js';

/** Loads the packages of the storages. Only the one of the named database is loaded. */
export interface StoragePackages {
  postgres(): Promise<typeof import('@partner-hiring/postgres')>;
  sqlite(): Promise<typeof import('@partner-hiring/sqlite')>;
}

/** The packages that are installed beside this one. */
export const INSTALLED_PACKAGES: StoragePackages = {
  postgres: () => import('@partner-hiring/postgres'),
  sqlite: () => import('@partner-hiring/sqlite'),
};

const NEEDED = {
  postgres: {
    database: 'PostgreSQL',
    packages: ['@partner-hiring/postgres', 'pg'],
    install: '@partner-hiring/postgres pg',
  },
  sqlite: {
    database: 'SQLite',
    packages: ['@partner-hiring/sqlite', 'better-sqlite3'],
    install: '@partner-hiring/sqlite better-sqlite3@12',
  },
} as const;

/** Loads the storage for PostgreSQL. @throws ConnectionError with the packages to install if it is missing. */
export function loadPostgres({ postgres } = INSTALLED_PACKAGES): ReturnType<StoragePackages['postgres']> {
  return load(NEEDED.postgres, postgres);
}

/** Loads the storage for SQLite. @throws ConnectionError with the packages to install if it is missing. */
export function loadSqlite({ sqlite } = INSTALLED_PACKAGES): ReturnType<StoragePackages['sqlite']> {
  return load(NEEDED.sqlite, sqlite);
}

async function load<Package>(
  { database, packages, install }: (typeof NEEDED)[keyof typeof NEEDED],
  open: () => Promise<Package>,
): Promise<Package> {
  try {
    return await open();
  } catch (error) {
    if (!isMissingPackage(error, packages)) throw error;
    const text = `A ${database} database needs packages that are not installed. Run: npm install ${install}`;
    throw new ConnectionError(text, { cause: error });
  }
}

/** Returns whether one of the packages is not installed, as ES modules and CommonJS report it. */
export function isMissingPackage(error: unknown, packages: readonly string[]): boolean {
  if (!isError(error) || !('code' in error)) return false;
  if (error.code !== 'ERR_MODULE_NOT_FOUND' && error.code !== 'MODULE_NOT_FOUND') return false;
  return packages.some((name) => error.message.includes(`'${name}'`));
}
