import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import { openBehindProxy } from '@partner-hiring/test-support/postgres/behind-proxy';
import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { samplePartner } from '../../../test/conformance/suite/storage/samples.js';
import { breaksConnection, fromPostgresError, isContention } from './errors.js';
import { openPool } from './pool.js';
import { createSend } from './query.js';
import { withDefaultTimeouts } from './timeouts.js';

const { storage, open, proxy } = await openBehindProxy();

describe('errors', () => {
  const ofServer = (code: string) => {
    const error = new DatabaseError('message', 1, 'error');
    return Object.assign(error, { code, severity: 'ERROR', detail: 'Key (email)=(ana@example.com)' });
  };

  it.each(['40001', '40P01', '55P03'])('%s may be tried again, and is an outage if it lasts', (code) => {
    expect(isContention(ofServer(code))).toBe(true);
    expect(fromPostgresError(ofServer(code))).toBeInstanceOf(StorageUnavailable);
  });

  it.each(['57P01', '57P02', '57P03', '08006', '53300', '53100', '25P03', '57014', '28P01'])(
    '%s is an outage, with its cause',
    (code) => {
      const error = ofServer(code);
      expect(isContention(error)).toBe(false);
      expect(fromPostgresError(error)).toBeInstanceOf(StorageUnavailable);
      expect(fromPostgresError(error)).toMatchObject({ cause: error });
    },
  );

  it.each([
    ['25006', /alter role … set default_transaction_read_only = off/],
    ['57014', /statement_timeout/],
    ['25P04', /transaction_timeout/],
    ['42P10', /not as this version needs them/],
  ])('%s is an outage that names what brings it about', (code, words) => {
    const told = fromPostgresError(ofServer(code));
    expect(told).toBeInstanceOf(StorageUnavailable);
    expect(String(told)).toMatch(words);
  });

  it('a statement without an answer names its time, the database and the option', async () => {
    await storage.direct.partners.list();
    proxy.swallow();
    await expect(storage.direct.partners.list()).rejects.toThrow(
      /^No answer within 400 ms from the PostgreSQL database "\w+" at [\d.]+:\d+\. .*raise `timeouts\.statementMs`\.$/,
    );
  });

  it('a pool without a free connection names its size and both options', async () => {
    const narrow = await open({ maxConnections: 1 });
    const waiting = narrow.transaction(async () => narrow.direct.partners.list());
    await expect(waiting).rejects.toThrow(
      /^Cannot connect to .*: no connection of the pool became free within 600 ms: its only one is in use\. .*`maxConnections` or `timeouts\.connectMs`\.$/,
    );
    await narrow.close();
  });

  it('a wait for a lock that is too long names its time, the query that finds the cause, and the option', () => {
    const { place } = openPool(
      { connectionString: 'postgres://db/x' },
      withDefaultTimeouts({}),
      createSend({ prepared: false, statementMs: null }),
    );
    expect(String(fromPostgresError(ofServer('55P03'), { place }))).toMatch(
      /Another transaction holds what this one needs, and did not end within 4 s\. .*pg_blocking_pids.*raise `timeouts\.lockMs`\.$/,
    );
  });

  it('that are bugs stay what they are, without the values of rows', () => {
    const error = ofServer('23505');
    expect(fromPostgresError(error)).toBe(error);
    expect(JSON.stringify(error)).not.toContain('ana@example.com');
    for (const other of [new TypeError('x'), new OperatorError('MISCONFIGURED', 'x'), 'text']) {
      expect(fromPostgresError(other)).toBe(other);
    }
  });

  it('break a connection unless the server answered them and lives on', () => {
    expect(breaksConnection(ofServer('23505'))).toBe(false);
    expect(breaksConnection(ofServer('40P01'))).toBe(false);
    expect(breaksConnection(ofServer('57P01'))).toBe(true);
    expect(breaksConnection(ofServer('25006'))).toBe(true);
    expect(breaksConnection(new Error('Query read timeout'))).toBe(true);
  });

  it('in a transaction that swallowed one of a statement’s are not taken for a commit', async () => {
    const swallowing = storage.transaction(async (tx) => {
      await tx.partners.add(samplePartner('ptn_swallowed'));
      const key = { id: 'key_x', partnerId: 'ptn_none', environment: 'production', createdAt: 1 } as const;
      await tx.keys.add(key).catch(() => {});
    });
    await expect(swallowing).rejects.toThrow('could not commit');
    expect(await storage.direct.partners.find('ptn_swallowed')).toBeNull();
  });

  it('of a statement are told, not those of what travelled behind it and was awaited first', async () => {
    const failing = storage.transaction(async (tx) => {
      const key = { id: 'key_x', partnerId: 'ptn_none', environment: 'production', createdAt: 1 } as const;
      const refused = tx.keys.add(key);
      refused.catch(() => {});
      await tx.partners.list();
    });
    await expect(failing).rejects.toMatchObject({ code: '23503' });
  });
});
