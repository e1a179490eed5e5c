/** The résumé of an erased candidate leaves the sink, whatever the worker was doing. */

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createResumeFolder } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, it, onTestFinished } from 'vitest';
import { createRecordingSink, DOWNLOAD, foundIn, openPersonalStage } from './stage.js';

const PERSON = 'Zq0001xw';
const stage = perTest(openPersonalStage, (opened) => opened.close());

it('removes a stored résumé, and retries until the sink succeeds, across restarts', async () => {
  const applicationId = await stage.submit(PERSON);
  await stage.drain();
  expect([...stage.sink.files.keys()]).toEqual([applicationId]);
  stage.sink.failWith(Object.assign(new Error(`EACCES: memory:/${PERSON}.pdf`), { code: 'EACCES' }));
  await stage.operator.candidates.erase({ applicationId });
  await stage.drain();
  await stage.fixture.pass(3 * 60_000, 30_000);
  expect(stage.sink.files.size).toBe(1);
  const failures = stage.logger.lines.filter(({ message }) => message.includes('could not be removed'));
  expect(failures.length).toBeGreaterThan(1);
  expect(failures[0]?.fields).toMatchObject({ applicationId, error: 'Error', code: 'EACCES' });
  expect(foundIn(stage.logger.text(), [PERSON])).toEqual([]);
  stage.sink.failWith(null);
  await stage.fixture.pass(60 * 60_000, 10 * 60_000);
  expect(stage.sink.removals).toEqual([{ applicationId, location: `memory:/${PERSON}.pdf` }]);
  expect(stage.sink.files.size).toBe(0);
  await stage.fixture.pass(24 * 60 * 60_000, 60 * 60_000);
  expect(stage.sink.removals).toHaveLength(1);
});

it('cancels a download that waits, and asks the sink to remove what it may have', async () => {
  const applicationId = await stage.submit(PERSON);
  const receipt = await stage.operator.candidates.erase({ applicationId });
  expect(receipt.counts).toMatchObject({ resumeDownloads: 1, resumeFiles: 1 });
  await stage.drain();
  expect(stage.sink.files.size).toBe(0);
  expect(stage.sink.removals).toEqual([{ applicationId, location: null }]);
});

it('removes a résumé that a worker stores during the erasure', async () => {
  let isStoring: () => void = () => {};
  const storing = new Promise<void>((resolve) => {
    isStoring = resolve;
  });
  let goOn: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const sink = createRecordingSink();
  const resumeSink = {
    ...sink,
    store: async (file: Parameters<typeof sink.store>[0]) => {
      isStoring();
      await held;
      return sink.store(file);
    },
  };
  const slow = await openPersonalStage({ resumeSink });
  onTestFinished(() => slow.close());
  const applicationId = await slow.submit(PERSON);
  const draining = slow.drain();
  await storing;
  const receipt = await slow.operator.candidates.erase({ applicationId });
  expect(receipt.counts).toMatchObject({ resumeDownloads: 1, resumeFiles: 1 });
  goOn();
  await draining;
  await slow.drain();
  expect(sink.files.size).toBe(0);
  expect(sink.removals.at(-1)).toEqual({ applicationId, location: `memory:/${PERSON}.pdf` });
  expect((await slow.operator.applications.find({ id: applicationId }))?.resume).toEqual({ kind: 'none' });
});

it('keeps removals for a sink that cannot remove, and says so once', async () => {
  const { files, store } = createRecordingSink();
  const old = await openPersonalStage({ resumeSink: { store } });
  onTestFinished(() => old.close());
  const applicationId = await old.submit(PERSON);
  await old.drain();
  await old.operator.candidates.erase({ applicationId });
  await old.fixture.pass(5 * 60 * 60_000, 60 * 60_000);
  expect(files.size).toBe(1);
  const lines = old.logger.lines.filter(({ message }) => message.includes('`resumeSink` has no `remove`'));
  expect(lines).toHaveLength(1);
  const { applications } = await old.operator.candidates.export({ applicationId });
  expect(applications).toMatchObject([{ resumeRemoval: { location: `memory:/${PERSON}.pdf` } }]);
});

it('the résumé folder removes every file of the application, and no other', async () => {
  const folder = temporaryFolder();
  const sink = createResumeFolder(folder);
  const file = { ...DOWNLOAD, fileName: 'cv.pdf' };
  const { location } = await sink.store({ ...file, applicationId: 'ej_app_1' });
  await sink.store({ ...file, applicationId: 'ej_app_12' });
  await writeFile(join(folder, 'ej_app_1.bin'), 'older');
  await sink.remove?.({ applicationId: 'ej_app_1', location });
  await sink.remove?.({ applicationId: 'ej_app_1', location: null });
  expect(await readdir(folder)).toEqual(['ej_app_12.pdf']);
  const outside = sink.remove?.({ applicationId: 'ej_app_/../x', location: null });
  await expect(outside).rejects.toThrow('must be the id of an application');
  const missing = createResumeFolder(join(folder, 'missing'));
  await expect(missing.remove?.({ applicationId: 'ej_app_1', location })).resolves.toBeUndefined();
});
