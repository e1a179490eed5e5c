/** What the store asks of the disk, and what it does where the disk or the runtime refuses. */
import fs from 'node:fs';
import { mkdtemp, open as openFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PENDING, SETTLED } from '@partner-hiring/test-support/submission-records';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createFileSubmissionStore } from './create-file-submission-store.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partner-hiring-store-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Has what imports from `node:fs` by name meet these spies too, until the test has ended. */
function untilTheEnd(...spies: readonly { mockRestore(): void }[]): void {
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  });
}

describe('a submission store in files', () => {
  const open = () => createFileSubmissionStore(folder);
  const names = async (part: string) => readdir(join(folder, part));

  test('writes where file handles lack `sync`, as under Yarn’s Plug’n’Play', async () => {
    const handle = await openFile(folder, 'r');
    await handle.close();
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementation(() => {
      throw new Error('Method not implemented.');
    });
    try {
      const store = await open();
      await expect(store.add(PENDING)).resolves.not.toThrow();
    } finally {
      sync.mockRestore();
    }
  });

  test('writes under Node’s permission model, which forbids `fsync`', async () => {
    const denied = vi.spyOn(fs, 'fsync').mockImplementation(() => {
      throw new Error('fsync API is disabled when Permission Model is enabled.');
    });
    vi.stubGlobal('process', Object.create(process, { permission: { value: { has: () => true } } }));
    syncBuiltinESMExports();
    try {
      const store = await open();
      await expect(store.add(PENDING)).resolves.not.toThrow();
    } finally {
      denied.mockRestore();
      vi.unstubAllGlobals();
      syncBuiltinESMExports();
    }
  });

  test('leaves nothing half written behind where the disk is full, and goes on once there is room', async () => {
    const store = await open();
    await store.add(PENDING);
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const spy = vi.spyOn(fs, 'fsync').mockImplementation((_file, done) => done(full));
    untilTheEnd(spy);
    await expect(store.add({ ...PENDING, id: 'scope\nats-2' })).rejects.toBe(full);
    await expect(store.settle(SETTLED)).rejects.toBe(full);
    expect(await names('pending')).toHaveLength(1);
    expect(await names('settled')).toEqual([]);
    spy.mockRestore();
    syncBuiltinESMExports();
    await store.settle(SETTLED);
    expect(await store.find(PENDING.id)).toEqual(SETTLED);
  });

  test('has nothing of a record before it has its name, nor where the disk gives it none', async () => {
    const store = await open();
    const denied = Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
    const listed: unknown[] = [];
    const link = vi.spyOn(fs.promises, 'link').mockImplementation(async () => {
      listed.push(...(await store.listPending('scope')));
      throw denied;
    });
    untilTheEnd(link);
    await expect(store.add(PENDING)).rejects.toBe(denied);
    expect([listed, await store.find(PENDING.id)]).toEqual([[], null]);
  });

  test('opens beside another process that clears the same away, before it has looked at it or after', async () => {
    await open();
    const { readdir, rm, stat } = fs.promises;
    const half = join(folder, 'pending', 'half.tmp');
    await writeFile(half, '');
    await utimes(half, 0, 0);
    const list = async (path: string) => [...(await readdir(path)), 'gone.tmp'];
    untilTheEnd(
      vi.spyOn(fs.promises, 'readdir').mockImplementation(list as typeof readdir),
      vi.spyOn(fs.promises, 'stat').mockImplementation((async (path: string) => {
        const found = await stat(path);
        await rm(path);
        return found;
      }) as typeof stat),
    );
    await expect(open()).resolves.toBeDefined();
    expect(fs.existsSync(half)).toBe(false);
  });

  test('removes a record beside another process that removes the same', async () => {
    const store = await open();
    await store.add(PENDING);
    const { rm } = fs.promises;
    const twice: typeof rm = async (path, options) => {
      await rm(path, { ...options, force: true });
      await rm(path, options);
    };
    untilTheEnd(vi.spyOn(fs.promises, 'rm').mockImplementation(twice));
    await store.remove(PENDING);
    expect(await store.find(PENDING.id)).toBeNull();
  });

  test('opens no folder that it cannot look through', async () => {
    const denied = Object.assign(new Error('permission denied'), { code: 'EACCES' });
    untilTheEnd(vi.spyOn(fs.promises, 'readdir').mockRejectedValue(denied));
    await expect(open()).rejects.toBe(denied);
  });

  test('adds no record that another process has removed meanwhile, and says why', async () => {
    const store = await open();
    const link = vi
      .spyOn(fs.promises, 'link')
      .mockRejectedValue(Object.assign(new Error('file already exists'), { code: 'EEXIST' }));
    untilTheEnd(link);
    await expect(store.add(PENDING)).rejects.toThrow('let one process at a time use this folder');
  });

  test.skipIf(process.platform === 'win32')('leaves no file open', async () => {
    const countOpen = async () => (await readdir('/dev/fd')).length;
    const store = await open();
    const before = await countOpen();
    await store.add(PENDING);
    await store.settle(SETTLED);
    await store.find(PENDING.id);
    await open();
    expect(await countOpen()).toBe(before);
  });

  test.skipIf(process.platform === 'win32')(
    'forces a record to the disk once all of it is written, and takes the pending one away after that',
    async () => {
      const store = await open();
      const { fsync } = fs;
      const { rm } = fs.promises;
      const done: string[] = [];
      const sync = vi.spyOn(fs, 'fsync').mockImplementation((file, callback) => {
        const found = fs.fstatSync(file);
        fsync(file, (error) => {
          setTimeout(() => {
            done.push(found.isFile() ? `${found.size} bytes` : 'folder');
            callback(error);
          }, 2);
        });
      });
      const remove = vi.spyOn(fs.promises, 'rm').mockImplementation(async (path, options) => {
        if (String(path).endsWith('.tmp')) return rm(path, options);
        // Longer than the folder takes: it must not be forced to the disk before.
        await new Promise((resolve) => setTimeout(resolve, 20));
        await rm(path, options);
        done.push('removed');
      });
      untilTheEnd(sync, remove);
      const record = { ...PENDING, body: 'x'.repeat(4 * 1024 * 1024) };
      await store.add(record);
      expect(done.splice(0)).toEqual([`${JSON.stringify(record).length} bytes`, 'folder']);
      await store.settle(SETTLED);
      expect(done).toEqual([`${JSON.stringify(SETTLED).length} bytes`, 'folder', 'removed', 'folder']);
    },
  );

  test.skipIf(process.platform === 'win32')('has reached the disk when it answers', async () => {
    const { fsync } = fs;
    let synced = 0;
    const spy = vi.spyOn(fs, 'fsync').mockImplementation((file, done) => {
      fsync(file, (error) => {
        setTimeout(() => {
          synced += 1;
          done(error);
        }, 2);
      });
    });
    untilTheEnd(spy);
    /** How many files and folders were forced to the disk meanwhile. */
    const syncsOf = async (work: Promise<unknown>) => {
      const before = synced;
      await work;
      return synced - before;
    };
    // The folder that each folder lies in.
    expect(await syncsOf(open())).toBe(3);
    const store = await open();
    expect(await syncsOf(store.add(PENDING))).toBe(2);
    expect(await syncsOf(store.remove(PENDING))).toBe(1);
    await store.add(PENDING);
    expect(await syncsOf(store.settle(SETTLED))).toBe(3);
  });
});
