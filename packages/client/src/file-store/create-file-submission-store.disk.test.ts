/** How the store uses the disk, and how it handles errors of the disk or the runtime. */
import fs from 'node:fs';
import { open as openFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { PENDING, SETTLED } from '@partner-hiring/test-support/submission-records';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createFileSubmissionStore } from './create-file-submission-store.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Applies the spies to named imports of `node:fs` too, until the test ends. */
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

  test('writes when file handles lack `sync`, as under Yarn’s Plug’n’Play', async () => {
    const handle = await openFile(folder, 'r');
    await handle.close();
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementation(() => {
      throw new Error('Method not implemented.');
    });
    onTestFinished(() => void sync.mockRestore());
    const store = await open();
    await expect(store.add(PENDING)).resolves.not.toThrow();
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

  test('leaves no unfinished file on a full disk, and continues once there is space', async () => {
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

  test('does not list a record before its file is linked, or if linking fails', async () => {
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

  test('opens while another process removes the same unfinished files', async () => {
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

  test('removes a record while another process removes it too', async () => {
    const store = await open();
    await store.add(PENDING);
    const { rm } = fs.promises;
    const twice: typeof fs.promises.rm = async (path, options) => {
      await rm(path, { ...options, force: true });
      await rm(path, options);
    };
    untilTheEnd(vi.spyOn(fs.promises, 'rm').mockImplementation(twice));
    await store.remove(PENDING);
    expect(await store.find(PENDING.id)).toBeNull();
  });

  test('rejects a folder that it cannot list', async () => {
    const denied = Object.assign(new Error('permission denied'), { code: 'EACCES' });
    untilTheEnd(vi.spyOn(fs.promises, 'readdir').mockRejectedValue(denied));
    await expect(open()).rejects.toBe(denied);
  });

  test('rejects when another process removes the record while it is added', async () => {
    const store = await open();
    const link = vi
      .spyOn(fs.promises, 'link')
      .mockRejectedValue(Object.assign(new Error('file already exists'), { code: 'EEXIST' }));
    untilTheEnd(link);
    await expect(store.add(PENDING)).rejects.toThrow('only one process may use this folder');
  });

  test.skipIf(process.platform === 'win32')('closes all files', async () => {
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
    'flushes the complete record before it removes the pending file',
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
        // Slower than a flush of the folder, which must wait for it.
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

  test.skipIf(process.platform === 'win32')('resolves only after the disk has flushed', async () => {
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
    /** Counts the flushes during some work. */
    const syncsOf = async (work: Promise<unknown>) => {
      const before = synced;
      await work;
      return synced - before;
    };
    // One for each parent folder.
    expect(await syncsOf(open())).toBe(3);
    const store = await open();
    expect(await syncsOf(store.add(PENDING))).toBe(2);
    expect(await syncsOf(store.remove(PENDING))).toBe(1);
    await store.add(PENDING);
    expect(await syncsOf(store.settle(SETTLED))).toBe(3);
  });
});
