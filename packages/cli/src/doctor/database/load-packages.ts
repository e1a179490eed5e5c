import { INSTALLED_PACKAGES, toLoadError } from '../../connection/load-storage.js';

/** Loads the storage for PostgreSQL. @throws ConnectionError with the packages to install if it is missing. */
export function loadPostgres(): Promise<typeof import('@partner-hiring/postgres')> {
  return INSTALLED_PACKAGES.postgres().catch((error: unknown) => {
    throw toLoadError('postgres', error);
  });
}

/** Loads the storage for SQLite. @throws ConnectionError with the packages to install if it is missing. */
export function loadSqlite(): Promise<typeof import('@partner-hiring/sqlite')> {
  return INSTALLED_PACKAGES.sqlite().catch((error: unknown) => {
    throw toLoadError('sqlite', error);
  });
}
