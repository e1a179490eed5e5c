import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { OperatorError } from '@partner-hiring/core';
import Sqlite from 'better-sqlite3';
import { type Connection, createConnection } from './connection.js';
import { createFileCheck, fileOf } from './file-identity.js';
import { createPrivateFile, warnIfOpenToOthers } from './private-file.js';
import { applySettings, checkVersion, SETTINGS } from './settings.js';
import { createWriter, type Writer } from './transaction.js';

/** The connections of one process to one file. */
export interface Connections {
  /**
   * The only one that writes. SQLite throws away the pages that a connection keeps in memory when another one has
   * written, so this one keeps its own, as long as no other process writes.
   */
  readonly writer: Writer;
  /** Sees only what was committed, also while the writer is in a transaction. It cannot write. */
  readonly reader: Connection;
  /**
   * Whether what is written stays.
   *
   * @throws StorageUnavailable if the file, or its log, was deleted, moved or replaced meanwhile.
   */
  assertInPlace(): void;
  close(): void;
}

/**
 * Opens the connections. If the file does not exist, it is created for this process's user alone; the folder must exist.
 *
 * @throws StorageUnavailable if the file cannot be created.
 */
export function openConnections(file: string): Connections {
  const handles: Sqlite.Database[] = [];
  const close = () => {
    for (const handle of handles.toReversed()) handle.close();
  };

  function open(role: keyof typeof SETTINGS): Sqlite.Database {
    const handle = new Sqlite(file, { readonly: role === 'reader' });
    handles.push(handle);
    checkVersion(handle);
    applySettings(handle, SETTINGS[role]);
    return handle;
  }

  createPrivateFile(file);
  try {
    const writer = createWriter(open('writer'));
    const reader = createConnection(open('reader'));
    // A first look makes what SQLite keeps beside the file.
    reader.handle.prepare('select 1 from sqlite_schema').get();
    const found = fileOf(writer.handle);
    warnIfOpenToOthers(found);
    return { writer, reader, assertInPlace: createFileCheck(file, found), close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Refuses what is no file that several connections can share.
 *
 * @throws OperatorError `MISCONFIGURED`.
 */
export function checkFile(file: string): void {
  if (typeof file !== 'string') {
    throw new OperatorError('MISCONFIGURED', '`file` must be the path of the database file, as text.');
  }
  if (file.trim() === '' || file.includes(':memory:')) {
    throw new OperatorError(
      'MISCONFIGURED',
      'The storage needs a file: a database in memory belongs to one connection, is not durable, and no other ' +
        "process sees it. For tests, give it a file in a temporary folder, e.g. join(mkdtempSync(join(tmpdir(), 'ph-')), 'test.db').",
    );
  }
  if (file.includes('\0')) {
    throw new OperatorError('MISCONFIGURED', '`file` holds a NUL, which no path may. Take it out.');
  }
  const path = resolve(file.trim());
  const folder = dirname(path);
  if (!existsSync(folder)) {
    throw new OperatorError('MISCONFIGURED', `The folder ${folder} does not exist. Make it first.`);
  }
  if (!statSync(folder).isDirectory()) {
    throw new OperatorError('MISCONFIGURED', `${folder} is no folder, and no file can lie in it.`);
  }
  if (existsSync(path)) checkExisting(path);
}

function checkExisting(path: string): void {
  const stat = statSync(path);
  if (stat.isDirectory()) {
    throw new OperatorError(
      'MISCONFIGURED',
      `${path} is a folder. Name a file in it, e.g. ${join(path, 'partner-hiring.sqlite')}.`,
    );
  }
  if (stat.nlink > 1) {
    throw new OperatorError(
      'MISCONFIGURED',
      `${path} has ${stat.nlink} names (hard links). SQLite keeps a log beside each of them, so whoever opens it under ` +
        `another one does not see what this one stores, and destroys it. \`find / -samefile '${path}'\` tells them: ` +
        'remove all but one, or make symbolic links of them, while nobody has the file open.',
    );
  }
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    // SQLite would open it all the same, and leave files beside it that may not be written either.
    throw new OperatorError(
      'MISCONFIGURED',
      `${path} may not be written (${String(error)}): every request of a partner would be answered with 503. Let the ` +
        'user of this process write it, or name another file.',
      { cause: error },
    );
  }
}
