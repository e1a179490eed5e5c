import fs from 'node:fs';
import {
  mkdir,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PendingSubmission, SettledSubmission } from '../submission-store.js';
import { submissionStoreChecks } from '../testing/index.js';
import { createFileSubmissionStore } from './create-file-submission-store.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partner-hiring-store-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const PENDING: PendingSubmission = {
  state: 'pending',
  id: 'scope\nats-1',
  scope: 'scope',
  sourceApplicationId: 'ats-1',
  jobId: 'job_1',
  idempotencyKey: '7d444840-9dc0-41d1-b245-5ffdce74fad2',
  body: '{"candidate":{"email":"ada@example.org"}}',
  fingerprint: 'f',
};
const SETTLED: SettledSubmission = {
  state: 'submitted',
  id: PENDING.id,
  scope: PENDING.scope,
  sourceApplicationId: PENDING.sourceApplicationId,
  idempotencyKey: PENDING.idempotencyKey,
  fingerprint: PENDING.fingerprint,
  application: {
    id: 'ej_app_1',
    sourceApplicationId: 'ats-1',
    jobId: 'job_1',
    status: 'received',
    createdAt: '',
  },
};

describe('a submission store in files', () => {
  const open = () => createFileSubmissionStore(folder);
  for (const { name, run } of submissionStoreChecks(open, open)) test(name, run);

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

  test('holds what is personal for the owner alone, and only while it is pending', async () => {
    const store = await open();
    await store.add(PENDING);
    const [name = ''] = await names('pending');
    expect(((await stat(join(folder, 'pending', name))).mode & 0o777).toString(8)).toBe('600');
    expect(((await stat(join(folder, 'pending'))).mode & 0o777).toString(8)).toBe('700');
    await store.settle(SETTLED);
    expect(await names('pending')).toEqual([]);
    expect(await readFile(join(folder, 'settled', name), 'utf8')).not.toContain('ada@example.org');
  });

  test('never reads what a crash left half written, and clears it away when it is old', async () => {
    const store = await open();
    const half = join(folder, 'pending', 'half.tmp');
    await writeFile(half, '{"state":"pen');
    expect(await store.listPending('scope')).toEqual([]);
    // Somebody may still be writing it.
    await utimes(half, 0, Date.now() / 1_000 - 3_000);
    await open();
    expect(await names('pending')).toEqual(['half.tmp']);
    await utimes(half, 0, 0);
    await open();
    expect(await names('pending')).toEqual([]);
  });

  test('leaves nothing half written behind where the disk is full, and goes on once there is room', async () => {
    const store = await open();
    await store.add(PENDING);
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const spy = vi.spyOn(fs, 'fsync').mockImplementation((_file, done) => done(full));
    syncBuiltinESMExports();
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
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
    syncBuiltinESMExports();
    onTestFinished(() => {
      link.mockRestore();
      syncBuiltinESMExports();
    });
    await expect(store.add(PENDING)).rejects.toBe(denied);
    expect([listed, await store.find(PENDING.id)]).toEqual([[], null]);
  });

  test('takes what it cannot read for no absence', async () => {
    const store = await open();
    await store.add(PENDING);
    const [name = ''] = await names('pending');
    await rm(join(folder, 'pending', name));
    await mkdir(join(folder, 'pending', name));
    await expect(store.find(PENDING.id)).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(store.listPending('scope')).rejects.toMatchObject({ code: 'EISDIR' });
  });

  test.each([
    ['is empty', ''],
    ['is cut off', '{"state":"pen'],
    ['holds another thing', 'null'],
    ['is of a newer version', '{"state":"archived"}'],
  ])('names the file that %s, and takes it for no absence', async (_, text) => {
    const store = await open();
    await store.add(PENDING);
    const [name = ''] = await names('pending');
    const path = join(folder, 'pending', name);
    await writeFile(path, text);
    await expect(store.find(PENDING.id)).rejects.toThrow(path);
    await expect(store.add(PENDING)).rejects.toThrow(path);
    await expect(store.listPending('scope')).rejects.toThrow(path);
  });

  test('leaves alone what it has not written, such as a file browser’s notes', async () => {
    const store = await open();
    for (const part of ['pending', 'settled']) {
      await writeFile(join(folder, part, '.DS_Store'), '');
      await utimes(join(folder, part, '.DS_Store'), 0, 0);
    }
    expect(await store.listPending('scope')).toEqual([]);
    await open();
    expect([await names('pending'), await names('settled')]).toEqual([['.DS_Store'], ['.DS_Store']]);
  });

  test('adds no record that another process has removed meanwhile, and says why', async () => {
    const store = await open();
    const link = vi
      .spyOn(fs.promises, 'link')
      .mockRejectedValue(Object.assign(new Error('file already exists'), { code: 'EEXIST' }));
    syncBuiltinESMExports();
    onTestFinished(() => {
      link.mockRestore();
      syncBuiltinESMExports();
    });
    await expect(store.add(PENDING)).rejects.toThrow('let one process at a time use this folder');
  });

  test('takes what a crash left in both folders as settled', async () => {
    const store = await open();
    await store.add(PENDING);
    const [name = ''] = await names('pending');
    const pending = await readFile(join(folder, 'pending', name));
    await store.settle(SETTLED);
    await writeFile(join(folder, 'pending', name), pending);

    const again = await open();
    expect(await again.add(PENDING)).toEqual(SETTLED);
    expect(await again.listPending('scope')).toEqual([]);
    expect(await names('pending')).toEqual([]);
  });

  test('forgets what was settled long ago, and never what is pending', async () => {
    const store = await open();
    await store.add(PENDING);
    await store.add({ ...PENDING, id: 'scope\nats-2', sourceApplicationId: 'ats-2' });
    await store.settle(SETTLED);
    for (const part of ['pending', 'settled']) {
      for (const name of await names(part)) await utimes(join(folder, part, name), 0, 0);
    }
    const again = await createFileSubmissionStore(folder, { rememberMs: 1_000 });
    expect(await again.find(PENDING.id)).toBeNull();
    expect(await again.listPending('scope')).toMatchObject([{ sourceApplicationId: 'ats-2' }]);
  });

  test('remembers what was settled for 30 days, unless told otherwise', async () => {
    const store = await open();
    await store.add(PENDING);
    await store.settle(SETTLED);
    const [name = ''] = await names('settled');
    const settledDaysAgo = (days: number) =>
      utimes(join(folder, 'settled', name), 0, Date.now() / 1_000 - days * 86_400);
    await settledDaysAgo(29);
    expect(await (await open()).find(PENDING.id)).toEqual(SETTLED);
    await settledDaysAgo(31);
    expect(await (await open()).find(PENDING.id)).toBeNull();
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
      const remove = vi.spyOn(fs.promises, 'rm').mockImplementation((path, options) => {
        if (!String(path).endsWith('.tmp')) done.push('removed');
        return rm(path, options);
      });
      syncBuiltinESMExports();
      onTestFinished(() => {
        sync.mockRestore();
        remove.mockRestore();
        syncBuiltinESMExports();
      });
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
    syncBuiltinESMExports();
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
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
