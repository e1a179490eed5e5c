/** The transaction that the library and the host share. */
import type { InboxItem } from '@partner-hiring/core';
import { createFixture } from '@partner-hiring/test-support/fixture';
import type { Host, HostTransaction } from '@partner-hiring/test-support/storages';
import { afterEach, describe, expect, it } from 'vitest';
import { type InboxStage, type InboxStageOptions, isSqlite, openInboxStage } from './stage.js';

let stage: InboxStage;
afterEach(() => stage.close());

async function submitTo(options: InboxStageOptions): Promise<void> {
  stage = await openInboxStage(options);
  await stage.submit('Lovelace');
}

/** What a worker logs instead of handing over. */
async function problem(): Promise<string> {
  await stage.drain().catch((error: Error) => stage.logger.error({ err: error }, error.message));
  return stage.logger.text();
}

describe('a transaction that the host opens', () => {
  const open =
    (host: Host, end = 'commit') =>
    async (run: (tx: HostTransaction) => Promise<void>) => {
      await host.run('begin');
      try {
        await run(host.tx);
        await host.run(end);
      } catch (error) {
        await host.run('rollback');
        throw error;
      }
    };

  it('commits the items with the host', async () => {
    await submitTo({ inbox: (receive, host) => ({ receive, transaction: open(host) }) });
    await stage.drain();
    expect(await stage.received()).toEqual(['Lovelace']);
    expect((await stage.fixture.operator.system.status()).inbox).toMatchObject({ unread: 0 });
  });

  it('keeps the items if the host rolls back', async () => {
    await submitTo({ inbox: (receive, host) => ({ receive, transaction: open(host, 'rollback') }) });
    expect(await problem()).toContain('was not committed');
    expect(await stage.received()).toEqual([]);
    expect((await stage.fixture.operator.system.status()).inbox).toMatchObject({ unread: 1 });
  });

  it('keeps the items if the host swallows the error', async () => {
    let calls = 0;
    await submitTo({
      receive: () => {
        calls += 1;
        throw new Error('full');
      },
      inbox: (receive, host) => ({
        receive,
        transaction: (run) => open(host)(run).catch(() => {}),
      }),
    });
    await stage.drain();
    expect(calls).toBeGreaterThan(0);
    expect((await stage.fixture.operator.system.status()).inbox).toMatchObject({ unread: 1 });
  });

  it('explains a transaction that does not await `run`', async () => {
    await submitTo({ inbox: (receive) => ({ receive, transaction: async () => {} }) });
    expect(await problem()).toContain('await run(tx)');
    expect((await stage.fixture.operator.system.status()).inbox).toMatchObject({ unread: 1 });
  });
});

describe(isSqlite ? 'on SQLite' : 'on PostgreSQL', isSqlite ? testsOnSqlite : testsOnPostgres);

function testsOnSqlite(): void {
  it('rolls back and explains an asynchronous `receive`', async () => {
    await submitTo({ receive: async () => {} });
    expect(await problem()).toContain('must be synchronous');
    expect((await stage.fixture.operator.system.status()).inbox).toMatchObject({ unread: 1 });
  });
}

function testsOnPostgres(): void {
  it('rolls back a `receive` that takes longer than ten seconds', async () => {
    const calls: (readonly InboxItem[])[] = [];
    await submitTo({
      receive: (items) => {
        calls.push(items);
        return calls.length === 1 ? new Promise(() => {}) : Promise.resolve();
      },
    });
    const drained = stage.drain();
    while (calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    // Each wakes the next sleeper, and then waits for the connection that `receive` holds.
    const advances = Array.from({ length: 10 }, () => stage.clock.advance(10_000));
    await drained;
    await Promise.all(advances);
    await stage.fixture.pass(2_000);
    expect(calls).toEqual([calls[0], calls[0]]);
    expect((await stage.fixture.operator.system.status()).inbox).toMatchObject({ unread: 0 });
  });
}

it.each([
  ['a function', () => {}, '`inbox` lacks `receive`'],
  ['no receive', {}, '`inbox` lacks `receive`'],
  ['an unknown option', { receive: () => {}, recieve: 1 }, 'recieve'],
  ['a transaction that is no function', { receive: () => {}, transaction: 1 }, '`inbox.transaction` must be'],
])('refuses an inbox that is %s', async (_, inbox, message) => {
  stage = await openInboxStage();
  await expect(createFixture({ inbox: inbox as never })).rejects.toMatchObject({
    code: 'MISCONFIGURED',
    message: expect.stringContaining(message) as string,
  });
});
