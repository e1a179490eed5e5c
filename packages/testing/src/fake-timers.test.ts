/** The library and the test kit under the fake timers that a test of a host may use. */
import * as timers from 'node:timers';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { storiesFor } from '../../../test/tools/packages/test-runners/stories.js';
import { createTestInstance } from './create-test-instance.js';
import { temporarySqlite } from './sqlite/index.js';

const stories = storiesFor(undefined);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('under the fake timers of Vitest', () => {
  test.each(Object.keys(stories))('the test kit serves a test: %s', async (title) => {
    await stories[title]?.();
  });

  test('requests with large bodies are answered one after the other', async () => {
    const instance = await createTestInstance({ database: temporarySqlite() });
    const key = await instance.createKey();
    const bodies = Array.from({ length: 12 }, () => ({ note: 'x'.repeat(100_000) }));
    const replies = await Promise.all(bodies.map((body) => key.submit(body)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([422]));
    await instance.close();
  });

  test('a write waits until another connection has ended its transaction', async () => {
    const database = temporarySqlite();
    const instance = await createTestInstance({ database });
    const job = await instance.createJob();
    const host = new Sqlite(database.file);
    host.exec('begin immediate');
    const closed = instance.operator.jobs.close({ id: job.id });
    await new Promise((resolve) => timers.setTimeout(resolve, 20));
    host.exec('commit');
    await closed;
    host.close();
    await instance.close();
  });

  test('time that a test lets pass does not end a request that is under way', async () => {
    const instance = await createTestInstance({ database: temporarySqlite() });
    const key = await instance.createKey();
    const replies = Promise.all([key.get('/jobs'), key.submit({})]);
    vi.advanceTimersByTime(24 * 3_600_000);
    expect((await replies).map(({ status }) => status)).toEqual([200, 422]);
    await instance.close();
  });
});
