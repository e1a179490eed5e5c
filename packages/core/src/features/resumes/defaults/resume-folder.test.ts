import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ApplicationId } from '../../../domain/ids.js';
import { createResumeFolder } from './resume-folder.js';

let root = '';

beforeEach(() => {
  root = temporaryFolder();
});

const PDF = 'application/pdf';

function file(applicationId: ApplicationId, text: string, mediaType = PDF) {
  return { applicationId, bytes: Buffer.from(text), mediaType, fileName: 'Jane Doe.pdf' };
}

describe('createResumeFolder', () => {
  it('creates the folder with the first résumé', async () => {
    const folder = join(root, 'a', 'b');
    const sink = createResumeFolder(folder);
    await expect(stat(folder)).rejects.toThrow('ENOENT');
    const { location } = await sink.store(file('ej_app_1', 'one'));
    expect(await readFile(location, 'utf8')).toBe('one');
    expect(await readdir(folder)).toEqual(['ej_app_1.pdf']);
  });

  it('returns the path of the file, named by the application and its type', async () => {
    const { location } = await createResumeFolder(root).store(file('ej_app_1', 'x', 'text/plain'));
    expect(location).toBe(join(root, 'ej_app_1.txt'));
  });

  it('replaces an earlier résumé, even of another type', async () => {
    const sink = createResumeFolder(root);
    await sink.store(file('ej_app_1', 'old'));
    await sink.store(file('ej_app_2', 'other'));
    await sink.store(file('ej_app_1', 'new', 'text/plain'));
    await sink.store(file('ej_app_1', 'newest', 'text/plain'));
    expect((await readdir(root)).toSorted()).toEqual(['ej_app_1.txt', 'ej_app_2.pdf']);
    expect(await readFile(join(root, 'ej_app_1.txt'), 'utf8')).toBe('newest');
  });

  it('lets only its own user read the files', async () => {
    const folder = join(root, 'private');
    const { location } = await createResumeFolder(folder).store(file('ej_app_1', 'x'));
    expect((await stat(location)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('keeps the earlier file and leaves no draft if it fails', async () => {
    const sink = createResumeFolder(root);
    await mkdir(join(root, 'ej_app_1.pdf'));
    await writeFile(join(root, 'ej_app_1.pdf', 'in-the-way'), '');
    await expect(sink.store(file('ej_app_1', 'x'))).rejects.toThrow();
    expect(await readdir(root)).toEqual(['ej_app_1.pdf']);
  });

  it('removes a résumé with the drafts that crashes left, but no other', async () => {
    const sink = createResumeFolder(root);
    await sink.store(file('ej_app_1', 'mine'));
    await sink.store(file('ej_app_12', 'other'));
    const [cut, others] = ['.ej_app_1.0.part', '.ej_app_12.0.part'];
    for (const name of [cut, others]) await writeFile(join(root, name), 'half');
    await sink.remove?.({ applicationId: 'ej_app_1', location: null });
    expect((await readdir(root)).toSorted()).toEqual([others, 'ej_app_12.pdf'].toSorted());
  });

  it('removes the draft of a process that died while it stored', async () => {
    const script = `
      import { createResumeFolder } from ${JSON.stringify(new URL('./resume-folder.ts', import.meta.url).href)};
      const sink = createResumeFolder(${JSON.stringify(root)});
      const big = Buffer.alloc(64 * 1024 * 1024);
      void sink.store({ applicationId: 'ej_app_1', bytes: big, mediaType: 'application/pdf', fileName: 'a.pdf' });
      const { readdirSync } = await import('node:fs');
      setInterval(() => {
        if (readdirSync(${JSON.stringify(root)}).length > 0) process.kill(process.pid, 'SIGKILL');
      }, 0);`;
    const args = [...RUN_BUNDLED, '--input-type=module', '--eval', script];
    await promisify(execFile)(process.execPath, args).catch(() => {});
    expect(await readdir(root)).toEqual(['.ej_app_1.0.part']);
    const sink = createResumeFolder(root);
    await sink.remove?.({ applicationId: 'ej_app_1', location: null });
    expect(await readdir(root)).toEqual([]);
  });

  it('stores a résumé after many crashes', async () => {
    for (let index = 0; index < 8; index += 1) await writeFile(join(root, `.ej_app_1.${index}.part`), 'half');
    const sink = createResumeFolder(root);
    const { location } = await sink.store(file('ej_app_1', 'whole'));
    expect(await readFile(location, 'utf8')).toBe('whole');
    expect(await readdir(root)).toEqual(['ej_app_1.pdf']);
  });

  it('writes nothing outside its folder', async () => {
    const folder = join(root, 'inside');
    const sink = createResumeFolder(folder);
    for (const id of ['../ej_app_1', 'ej_app_../../x', 'ej_app_a/b', 'ej_app_\u0000', '']) {
      await expect(sink.store(file(id as ApplicationId, 'x'))).rejects.toThrow(/id of an application/);
    }
    expect(await readdir(root)).toEqual([]);
  });

  it('stores many files at once', async () => {
    const sink = createResumeFolder(root);
    const ids = Array.from({ length: 20 }, (_, index): ApplicationId => `ej_app_${index}`);
    await Promise.all(ids.map((id) => sink.store(file(id, id))));
    expect(await readdir(root)).toHaveLength(20);
  });

  it('writes if file handles have no `sync`, as under Yarn’s Plug’n’Play', async () => {
    const handle = await open(root, 'r');
    await handle.close();
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementation(() => {
      throw new Error('Method not implemented.');
    });
    onTestFinished(() => void sync.mockRestore());
    const { location } = await createResumeFolder(root).store(file('ej_app_1', 'x'));
    expect(await readFile(location, 'utf8')).toBe('x');
  });

  it('writes under Node’s permission model, which forbids `fsync`', async () => {
    const denied = vi.spyOn(fs, 'fsync').mockImplementation(() => {
      throw new Error('fsync API is disabled when Permission Model is enabled.');
    });
    vi.stubGlobal('process', Object.create(process, { permission: { value: { has: () => true } } }));
    syncBuiltinESMExports();
    try {
      const { location } = await createResumeFolder(root).store(file('ej_app_1', 'x'));
      expect(await readFile(location, 'utf8')).toBe('x');
    } finally {
      denied.mockRestore();
      vi.unstubAllGlobals();
      syncBuiltinESMExports();
    }
  });
});
