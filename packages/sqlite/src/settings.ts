import { OperatorError } from '@partner-hiring/core';
import type { Database } from 'better-sqlite3';

/** A setting as it was given, and what SQLite must answer when it is asked whether it holds. */
interface Setting {
  readonly pragma: string;
  readonly value: string;
  readonly reads: unknown;
  /** What to do if it does not hold. */
  readonly fix: string;
}

/**
 * SQLite's own waiting stops the event loop, so it is kept to the length of a commit or two of another
 * process. Longer contention is waited out on a timer.
 */
const BUSY_TIMEOUT_MS = 10;

const WAL: Setting = {
  pragma: 'journal_mode',
  value: 'wal',
  reads: 'wal',
  fix: 'Put the file on a local file system: the write-ahead log needs shared memory.',
};

const FOREIGN_KEYS: Setting = {
  pragma: 'foreign_keys',
  value: 'on',
  reads: 1,
  fix: 'Use a build of SQLite that has foreign keys.',
};

const BUSY_TIMEOUT: Setting = {
  pragma: 'busy_timeout',
  value: String(BUSY_TIMEOUT_MS),
  reads: BUSY_TIMEOUT_MS,
  fix: 'Use a build of SQLite that has a busy timeout.',
};

/** An acknowledged commit is on the disk. better-sqlite3 is built with NORMAL for a write-ahead log. */
const FULL: Setting = {
  pragma: 'synchronous',
  value: 'full',
  reads: 2,
  fix: 'Use a build of better-sqlite3 that lets `pragma synchronous` be set to FULL.',
};

/** No wait for the disk: a power failure may take back the last commits, and leaves the file whole. */
const NORMAL: Setting = { ...FULL, value: 'normal', reads: 1 };

/** What a commit waits for: the disk, or nothing. */
export const DURABILITY = { full: FULL, normal: NORMAL } as const;

export type Durability = keyof typeof DURABILITY;

/**
 * How many pages the log grows to before they are copied into the file, some 80 MB: twenty times the default.
 * The same pages are written over and over meanwhile, and are then copied once.
 */
const RARE_CHECKPOINTS: Setting = {
  pragma: 'wal_autocheckpoint',
  value: '20000',
  reads: 20_000,
  fix: 'Use a build of SQLite that lets `pragma wal_autocheckpoint` be set.',
};

/** The settings of each connection. */
export const SETTINGS = {
  writer: [BUSY_TIMEOUT, WAL, FULL, FOREIGN_KEYS, RARE_CHECKPOINTS],
  reader: [BUSY_TIMEOUT],
} as const satisfies Record<string, readonly Setting[]>;

/** The first SQLite with strict tables. better-sqlite3 has brought it since 7.5. */
const OLDEST_VERSION = 3_037_000;

/**
 * Refuses a SQLite that does not know what our statements say.
 *
 * @throws OperatorError `MISCONFIGURED` naming the version and the fix.
 */
export function checkVersion(handle: Pick<Database, 'prepare'>): void {
  const version = handle.prepare('select sqlite_version()').pluck().get();
  const [major = 0, minor = 0, patch = 0] = String(version).split('.').map(Number);
  if (major * 1_000_000 + minor * 1_000 + patch >= OLDEST_VERSION) return;
  throw new OperatorError(
    'MISCONFIGURED',
    `SQLite is ${String(version)}; 3.37 or newer is needed. Upgrade better-sqlite3 to 12.5 or newer.`,
  );
}

/**
 * Applies settings and reads each of them back: one that silently does not hold would lose what a partner
 * was told is safe, and nothing else would show it.
 *
 * @throws OperatorError `MISCONFIGURED` naming the setting and the fix.
 */
export function applySettings(handle: Pick<Database, 'pragma'>, settings: readonly Setting[]): void {
  for (const { pragma, value, reads, fix } of settings) {
    handle.pragma(`${pragma} = ${value}`);
    const held: unknown = handle.pragma(pragma, { simple: true });
    if (held === reads) continue;
    throw new OperatorError(
      'MISCONFIGURED',
      `SQLite answers ${String(held)} for \`pragma ${pragma}\` where ${value} was set. ${fix}`,
    );
  }
}
