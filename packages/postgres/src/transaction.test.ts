import type { Execute, Outcome } from '@partner-hiring/storage-kysely';
import { DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import type { Connection } from './connection.js';
import { runTransaction } from './transaction.js';

const DONE: Outcome = { rows: [], changed: 0 };
const COMMAND_MS = 1_000;

/** A connection that says yes to everything, and what went over it. */
function createFakeConnection(changes: Partial<Connection> = {}) {
  const sent: string[] = [];
  const times: (number | undefined)[] = [];
  const noting = (run: (sql: string) => Promise<Outcome>) => (sql: string) => {
    sent.push(sql);
    return run(sql);
  };
  const { statement = async () => DONE, committing = async () => DONE, command, ...others } = changes;
  const connection: Connection = {
    statement: noting((sql) => statement(sql, [])),
    committing: noting((sql) => committing(sql, [])),
    command: (text, withinMs) => {
      sent.push(text);
      times.push(withinMs);
      return command?.(text) ?? Promise.resolve(text.toUpperCase());
    },
    commandMs: COMMAND_MS,
    isPipelined: true,
    isBroken: () => false,
    discard: () => {},
    isReusable: () => true,
    lose: () => {},
    assertThere: () => {},
    ...others,
  };
  return { connection, sent, times };
}

const one = async (execute: Execute) => execute('insert', [[]]);
const failure = (code: string) =>
  Object.assign(new DatabaseError('no', 1, 'error'), { code, severity: 'ERROR' });

it('where nothing is pipelined, no statement goes out if the transaction has not begun', async () => {
  const refused = failure('0A000');
  const { connection, sent } = createFakeConnection({
    isPipelined: false,
    command: () => Promise.reject(refused),
  });
  await expect(runTransaction(connection, 'begin', one)).rejects.toBe(refused);
  // Part of it may have been done: it says more than `begin`.
  expect(sent).toEqual(['begin', 'rollback']);
});

it('nothing is committed if the transaction has not begun, though its statements were answered', async () => {
  const refused = failure('0A000');
  const { connection, sent } = createFakeConnection({
    command: (text) => (text === 'begin' ? Promise.reject(refused) : Promise.resolve('ROLLBACK')),
  });
  await expect(runTransaction(connection, 'begin', one)).rejects.toBe(refused);
  expect(sent).toEqual(['begin', 'insert', 'rollback']);
});

it('a broken connection is not asked to roll back: the wait for its answer would be in vain', async () => {
  const lost = new Error('Query read timeout');
  const { connection, sent } = createFakeConnection({
    statement: () => Promise.reject(lost),
    isBroken: () => true,
  });
  await expect(runTransaction(connection, 'begin', one)).rejects.toBe(lost);
  expect(sent).toEqual(['begin', 'insert']);
});

it('a commit that lost against another transaction is no unknown outcome: it may be begun again', async () => {
  const lost = failure('40001');
  const { connection } = createFakeConnection({
    command: (text) => (text === 'commit' ? Promise.reject(lost) : Promise.resolve('BEGIN')),
  });
  await expect(runTransaction(connection, 'begin', one)).rejects.toBe(lost);
});

it('a commit that travels with a statement may take as long as both', async () => {
  const { connection, sent, times } = createFakeConnection();
  // As slow as a server may take it in, it needs a second by itself.
  const large = 'x'.repeat(200_000);
  await runTransaction(connection, 'begin', (_, executeLast) => executeLast('insert', [[large]]));
  expect(sent).toEqual(['begin', 'insert', 'commit']);
  expect(times.at(-1)).toBe(COMMAND_MS + 1_000 + COMMAND_MS);
});
