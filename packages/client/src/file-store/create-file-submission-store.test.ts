import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PENDING, SETTLED } from '@partner-hiring/test-support/submission-records';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { beforeEach, describe, expect, test } from 'vitest';
import { submissionStoreChecks } from '../testing/index.js';
import { createFileSubmissionStore } from './create-file-submission-store.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

describe('a submission store in files', () => {
  const open = () => createFileSubmissionStore(folder);
  for (const { name, run } of submissionStoreChecks(open, open)) test(name, run);

  const names = async (part: string) => readdir(join(folder, part));

  test('keeps personal data readable by the owner only, and only while the submission is pending', async () => {
    const store = await open();
    await store.add(PENDING);
    const [name = ''] = await names('pending');
    expect(((await stat(join(folder, 'pending', name))).mode & 0o777).toString(8)).toBe('600');
    expect(((await stat(join(folder, 'pending'))).mode & 0o777).toString(8)).toBe('700');
    await store.settle(SETTLED);
    expect(await names('pending')).toEqual([]);
    expect(await readFile(join(folder, 'settled', name), 'utf8')).not.toContain('ada@example.org');
  });

  test('creates its folder and all parent folders', async () => {
    const inner = join(folder, 'ats', 'eu', 'submissions');
    const store = await createFileSubmissionStore(inner);
    await store.add(PENDING);
    expect(await readdir(join(inner, 'pending'))).toHaveLength(1);
  });

  test('ignores unfinished files of a crash, and removes them after an hour', async () => {
    const store = await open();
    const half = join(folder, 'pending', 'half.tmp');
    await writeFile(half, '{"state":"pen');
    expect(await store.listPending('scope')).toEqual([]);
    const writtenMinutesAgo = (minutes: number) => utimes(half, 0, Date.now() / 1_000 - minutes * 60);
    // Another process may still be writing it.
    await writtenMinutesAgo(59.5);
    await open();
    expect(await names('pending')).toEqual(['half.tmp']);
    await writtenMinutesAgo(60.5);
    await open();
    expect(await names('pending')).toEqual([]);
  });

  test('rejects when it cannot read a file', async () => {
    const store = await open();
    await store.add(PENDING);
    const [name = ''] = await names('pending');
    await rm(join(folder, 'pending', name));
    await mkdir(join(folder, 'pending', name));
    await expect(store.find(PENDING.id)).rejects.toMatchObject({ code: 'EISDIR' });
    expect(await store.listPending('scope')).toMatchObject([
      { state: 'unreadable', where: join(folder, 'pending', name), error: { code: 'EISDIR' } },
    ]);
  });

  test.each([
    ['is empty', ''],
    ['is truncated', '{"state":"pen'],
    ['holds other JSON', 'null'],
    ['has a newer version', '{"state":"archived"}'],
  ])('rejects with the path of a file that %s', async (_, text) => {
    const store = await open();
    await store.add(PENDING);
    const [name = ''] = await names('pending');
    const path = join(folder, 'pending', name);
    await writeFile(path, text);
    await expect(store.find(PENDING.id)).rejects.toThrow(path);
    await expect(store.add(PENDING)).rejects.toThrow(path);
    const error = expect.objectContaining({ message: expect.stringContaining(path) });
    expect(await store.listPending('scope')).toEqual([{ state: 'unreadable', where: path, error }]);
  });

  test('lists pending submissions next to a damaged file', async () => {
    const store = await open();
    await store.add(PENDING);
    const [damaged = ''] = await names('pending');
    const others = ['ats-2', 'ats-3'].map((sourceApplicationId) => ({
      ...PENDING,
      id: `scope\n${sourceApplicationId}`,
      sourceApplicationId,
    }));
    for (const other of others) await store.add(other);
    await writeFile(join(folder, 'pending', damaged), '');
    const listed = await store.listPending('scope');
    expect(listed).toHaveLength(3);
    expect(listed).toEqual(expect.arrayContaining(others));
    expect(listed).toContainEqual(expect.objectContaining({ where: join(folder, 'pending', damaged) }));
  });

  test('ignores files of other programs', async () => {
    const store = await open();
    for (const part of ['pending', 'settled']) {
      await writeFile(join(folder, part, '.DS_Store'), '');
      await utimes(join(folder, part, '.DS_Store'), 0, 0);
    }
    expect(await store.listPending('scope')).toEqual([]);
    await open();
    expect([await names('pending'), await names('settled')]).toEqual([['.DS_Store'], ['.DS_Store']]);
  });

  test('treats a submission as settled when a crash left it in both folders', async () => {
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

  test('removes old settled submissions, but never pending ones', async () => {
    const store = await open();
    await store.add(PENDING);
    await store.add({ ...PENDING, id: 'scope\nats-2', sourceApplicationId: 'ats-2' });
    await store.settle(SETTLED);
    for (const part of ['pending', 'settled']) {
      for (const name of await names(part)) await utimes(join(folder, part, name), 0, 0);
    }
    for (const rememberMs of [0, -1, Number.NaN]) {
      await expect(createFileSubmissionStore(folder, { rememberMs })).rejects.toBeInstanceOf(TypeError);
    }
    const again = await createFileSubmissionStore(folder, { rememberMs: 1_000 });
    expect(await again.find(PENDING.id)).toBeNull();
    expect(await again.listPending('scope')).toMatchObject([{ sourceApplicationId: 'ats-2' }]);
  });

  test('keeps settled submissions for 30 days by default', async () => {
    const store = await open();
    await store.add(PENDING);
    await store.settle(SETTLED);
    const [name = ''] = await names('settled');
    const settledDaysAgo = (days: number) =>
      utimes(join(folder, 'settled', name), 0, Date.now() / 1_000 - days * 86_400);
    await settledDaysAgo(29.99);
    expect(await (await open()).find(PENDING.id)).toEqual(SETTLED);
    await settledDaysAgo(30.01);
    expect(await (await open()).find(PENDING.id)).toBeNull();
  });
});
