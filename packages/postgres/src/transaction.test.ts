import type { Execute, TransactionOutcome, TransactionWork } from '@partner-hiring/storage-kysely';
import { Client, DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import type { ServerConnection } from './connection.js';
import { runPostgresTransaction } from './transaction.js';

const DONE: TransactionOutcome = { rows: [] };
const COMMAND_MS = 1_000;

function createFakeConnection(changes: Partial<ServerConnection> = {}) {
  const sent: string[] = [];
  const times: (number | undefined)[] = [];
  const noting = (run: (sql: string) => Promise<TransactionOutcome>) => (sql: string) => {
    sent.push(sql);
    return run(sql);
  };
  const { statement = async () => DONE, committing = async () => DONE, command, ...others } = changes;
  const connection: ServerConnection = {
    client: new Client(),
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
    hear: () => {},
    isUnconfirmed: () => false,
    hangUp: () => {},
    assertThere: () => {},
    ...others,
  };
  return { connection, sent, times };
}

const one = async (execute: Execute) => execute('insert', [[]]);
const plain: TransactionWork<TransactionOutcome> = ({ execute }) => one(execute);
const failure = (code: string) =>
  Object.assign(new DatabaseError('no', 1, 'error'), { code, severity: 'ERROR' });

it.each<[string, TransactionWork<unknown>]>([
  ['no statement', plain],
  ['no early statement', ({ executeEarly }) => one(executeEarly)],
])('where nothing is pipelined, %s goes out if the transaction has not begun', async (_, work) => {
  const refused = failure('0A000');
  const { connection, sent } = createFakeConnection({
    isPipelined: false,
    command: () => Promise.reject(refused),
  });
  await expect(runPostgresTransaction(connection, 'begin', work)).rejects.toBe(refused);
  // The transaction may be half done: the text does more than `begin`.
  expect(sent).toEqual(['begin', 'rollback']);
});

function createUnbeginning() {
  const refused = failure('57014');
  const command = (text: string) =>
    text === 'begin' ? Promise.reject(refused) : Promise.resolve(text.toUpperCase());
  return { refused, ...createFakeConnection({ command }) };
}

it('nothing is committed if the transaction has not begun, though an early statement was answered', async () => {
  const { refused, connection, sent } = createUnbeginning();
  const early: TransactionWork<TransactionOutcome> = ({ executeEarly }) => one(executeEarly);
  await expect(runPostgresTransaction(connection, 'begin', early)).rejects.toBe(refused);
  expect(sent).toEqual(['begin', 'insert', 'rollback']);
});

it('an early statement that comes after the answer is not sent where the transaction has not begun', async () => {
  const { refused, connection, sent } = createUnbeginning();
  const late: TransactionWork<TransactionOutcome> = async ({ executeEarly }) => {
    await new Promise((resolve) => setImmediate(resolve));
    return one(executeEarly);
  };
  await expect(runPostgresTransaction(connection, 'begin', late)).rejects.toBe(refused);
  expect(sent).toEqual(['begin', 'rollback']);
});

it('of statements that travelled together, the first that failed is told, though another was awaited first', async () => {
  const failures = new Map(['23505', '25P02', '25P02'].map((code, at) => [`insert ${at}`, failure(code)]));
  const { connection } = createFakeConnection({
    statement: async (sql) => {
      throw failures.get(sql);
    },
  });
  const work: TransactionWork<unknown> = async ({ execute }) => {
    const answers = [...failures.keys()].map((sql) => execute(sql, [[]]));
    await Promise.allSettled(answers);
    await answers[1];
  };
  await expect(runPostgresTransaction(connection, 'begin', work)).rejects.toBe(failures.get('insert 0'));
});

it.each<[string, TransactionWork<unknown>]>([
  ['by itself', plain],
  ['as the last one', ({ executeLast }) => one(executeLast)],
  [
    'behind one that does not wait',
    ({ execute, executeEarly }) => Promise.all([executeEarly('lock', [[]]), one(execute)]),
  ],
])('a statement that is not early is never sent where the transaction has not begun: %s', async (_, work) => {
  const { connection, sent } = createUnbeginning();
  await expect(runPostgresTransaction(connection, 'begin', work)).rejects.toMatchObject({ code: '57014' });
  expect(sent).not.toContain('insert');
  expect(sent).not.toContain('commit');
});

it('early statements do not overtake one that waits', async () => {
  const { connection, sent } = createFakeConnection();
  await runPostgresTransaction(connection, 'begin', ({ execute, executeEarly }) =>
    Promise.all([executeEarly('lock', [[]]), one(execute), executeEarly('select', [[]])]),
  );
  expect(sent).toEqual(['begin', 'lock', 'insert', 'select', 'commit']);
});

it('what waited for a transaction that was given up meanwhile is not sent behind it', async () => {
  const command = async (text: string) => {
    await new Promise((resolve) => setImmediate(resolve));
    return text.toUpperCase();
  };
  const { connection, sent } = createFakeConnection({ command });
  const work: TransactionWork<unknown> = ({ execute }) =>
    Promise.all([Promise.reject(new Error('given up')), one(execute)]);
  await expect(runPostgresTransaction(connection, 'begin', work)).rejects.toThrow('given up');
  expect(sent).toEqual(['begin', 'rollback']);
});

it('a broken connection is not asked to roll back: the wait for its answer would be in vain', async () => {
  const lost = new Error('Query read timeout');
  const { connection, sent } = createFakeConnection({
    statement: () => Promise.reject(lost),
    isBroken: () => true,
  });
  await expect(runPostgresTransaction(connection, 'begin', plain)).rejects.toBe(lost);
  expect(sent).toEqual(['begin', 'insert']);
});

it('a commit that lost against another transaction is no unknown outcome: it may be begun again', async () => {
  const lost = failure('40001');
  const { connection } = createFakeConnection({
    command: (text) => (text === 'commit' ? Promise.reject(lost) : Promise.resolve('BEGIN')),
  });
  await expect(runPostgresTransaction(connection, 'begin', plain)).rejects.toBe(lost);
});

it('a commit that travels with a statement may take as long as both', async () => {
  const { connection, sent, times } = createFakeConnection();
  // At the lowest rate, this takes a second to send.
  const large = 'x'.repeat(200_000);
  await runPostgresTransaction(connection, 'begin', ({ executeLast }) => executeLast('insert', [[large]]));
  expect(sent).toEqual(['begin', 'insert', 'commit']);
  expect(times.at(-1)).toBe(COMMAND_MS + 1_000 + COMMAND_MS);
});

it('a connection that was lost before the last statement is sent leaves no doubt: nothing was committed', async () => {
  const lost = new Error('Connection terminated unexpectedly');
  const { connection, sent } = createFakeConnection({
    assertThere: () => {
      throw lost;
    },
    committing: () => Promise.reject(lost),
    isBroken: () => true,
  });
  const last: TransactionWork<TransactionOutcome> = ({ executeLast }) => one(executeLast);
  await expect(runPostgresTransaction(connection, 'begin', last)).rejects.toBe(lost);
  expect(sent).toEqual(['begin']);
});
