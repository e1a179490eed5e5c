/** A consumer that takes and acknowledges: another language, another database, or asynchronous code on SQLite. */
import type { InboxItem } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { namesOf, openInboxStage } from './stage.js';

const stage = perTest(
  () =>
    openInboxStage({
      receive: () => {
        throw new Error('not used');
      },
    }),
  ({ close }) => close(),
);

const lastNames = (items: readonly InboxItem[]) =>
  items.map(({ application }) => application?.candidate.lastName);

describe('take and acknowledge', () => {
  it('returns items in order, reserves their key, and forgets acknowledged ones', async () => {
    const { inbox } = stage.fixture.operator;
    for (const name of namesOf(5)) await stage.submit(name);
    const first = await inbox.take({ limit: 2, leaseMs: 60_000 });
    expect(lastNames(first)).toEqual(['Name0', 'Name1']);
    expect(await inbox.take()).toEqual([]);
    expect(await inbox.acknowledge(first.map(({ id }) => id))).toEqual({ acknowledged: 2 });
    expect(await inbox.acknowledge(first.map(({ id }) => id))).toEqual({ acknowledged: 0 });
    expect(lastNames(await inbox.take())).toEqual(['Name2', 'Name3', 'Name4']);
  });

  it('returns items again after the lease', async () => {
    const { inbox } = stage.fixture.operator;
    await stage.submit('Lovelace');
    const [item] = await inbox.take({ leaseMs: 5_000 });
    await stage.clock.advance(4_999);
    expect(await inbox.take()).toEqual([]);
    await stage.clock.advance(1);
    expect(await inbox.take()).toEqual([item]);
  });

  it('says that the inbox is off, once nothing is left to take', async () => {
    const { inbox } = stage.fixture.operator;
    await stage.submit('Before');
    await inbox.turn({ on: false });
    await stage.submit('Meanwhile');
    const items = await inbox.take();
    expect(lastNames(items)).toEqual(['Before']);
    await inbox.acknowledge(items.map(({ id }) => id));
    await expect(inbox.take()).rejects.toMatchObject({
      code: 'INBOX_OFF',
      message: expect.stringContaining('inbox.turn({ on: true })') as string,
    });
    await inbox.turn({ on: true });
    expect(await inbox.take()).toEqual([]);
  });

  it('acknowledges in the transaction of the host, or not at all', async () => {
    const { operator } = stage.fixture;
    await stage.submit('Lovelace');
    const [item] = await operator.inbox.take({ leaseMs: 1_000 });
    for (const end of ['rollback', 'commit']) {
      await stage.host.run('begin');
      const ids = item === undefined ? [] : [item.id];
      await operator.within(stage.host.tx).inbox.acknowledge(ids);
      await stage.host.run(end);
      expect((await operator.system.status()).inbox).toMatchObject({ unread: end === 'commit' ? 0 : 1 });
    }
  });

  it.each([
    ['a limit of 0', () => stage.fixture.operator.inbox.take({ limit: 0 }), 'limit must be an integer'],
    ['a short lease', () => stage.fixture.operator.inbox.take({ leaseMs: 5 }), 'leaseMs must be an integer'],
    ['a single id', () => stage.fixture.operator.inbox.acknowledge('x' as never), 'ids must be a list'],
    ['an unknown id', () => stage.fixture.operator.inbox.acknowledge(['x' as never]), 'ids must be a list'],
    [
      'neither ids nor all',
      () => stage.fixture.operator.inbox.retry({} as never),
      'must have `ids`, or `all: true`',
    ],
    [
      'a forged cursor',
      () => stage.fixture.operator.inbox.list({ state: 'parked', cursor: 'x' }),
      'cursor must be',
    ],
  ])('refuses %s', async (_, call, message) => {
    await expect(call()).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(message) as string,
    });
  });
});
