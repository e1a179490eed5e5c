/** A résumé is stored only after the scanner found it clean. */
import type { ResumeDownload, ResumeFile, ResumeScanner, ResumeScanResult } from '@partner-hiring/core';
import { settle } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { RESUME_DELAYS_MS } from '../../../packages/core/src/domain/resume.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { noting, openStage, PDF, type StageParts, until } from './stage.js';
import { resumeOf, submitWithResume } from './submission.js';

const CLEAN: ResumeScanResult = { kind: 'clean' };
const REFUSED: ResumeScanResult = { kind: 'refused', reason: 'Eicar-Test-Signature' };
const LATEST_SCAN_MS = MINUTE_MS;

const stage = perTest(openStage, ({ close }) => close());

function scanningWith(scan: ResumeScanner['scan'], parts: StageParts = {}) {
  return stage.worker({ ...parts, resumeScanner: { scan } });
}

/** Runs all rounds. */
async function workThrough(worker: { drain(): Promise<void> }): Promise<void> {
  for (const delay of RESUME_DELAYS_MS) {
    await stage.clock.advance(delay);
    await worker.drain();
  }
}

function download(text: string): ResumeDownload {
  return { kind: 'fetched', bytes: Buffer.from(text), mediaType: 'text/plain', fileName: 'resume.txt' };
}

describe('a fetched résumé', () => {
  it('is stored after a clean scan', async () => {
    const id = await submitWithResume(stage);
    const scanned: ResumeFile[] = [];
    await scanningWith(async (file) => {
      scanned.push(file);
      expect(stage.files).toEqual([]);
      return CLEAN;
    }).drain();
    const bytes = Buffer.from([37, 80, 68, 70]);
    const file = { applicationId: id, bytes, mediaType: 'application/pdf', fileName: 'resume.pdf' };
    expect(scanned).toEqual([file]);
    expect(stage.files).toEqual([file]);
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'fetched', location: 'memory:resume.pdf' });
  });

  it('fails with the scanner’s reason when it is refused', async () => {
    const id = await submitWithResume(stage);
    const givenUp: unknown[] = [];
    let scans = 0;
    const scan = async () => {
      scans += 1;
      return REFUSED;
    };
    const worker = scanningWith(scan, { logger: noting(givenUp) });
    await worker.drain();
    expect(await resumeOf(stage, id)).toEqual({
      kind: 'failed',
      reason: 'refused_by_scanner',
      detail: 'Eicar-Test-Signature',
      failedAt: stage.clock.now(),
    });
    expect(givenUp).toEqual([[id, 'refused_by_scanner']]);
    for (let days = 0; days < 3; days += 1) {
      await stage.clock.advance(DAY_MS);
      await worker.drain();
    }
    expect([scans, stage.files, stage.errors]).toEqual([1, [], []]);
  });

  it.each<[string, ResumeScanner['scan']]>([
    ['rejects', () => Promise.reject(new Error('The scanner is down.'))],
    [
      'throws',
      () => {
        throw new Error('The scanner is down.');
      },
    ],
    ...[undefined, null, true, 'clean', {}, { kind: 'Clean' }, { clean: true }, [CLEAN]].map(nonsense),
    ...[{ kind: 'refused' }, { kind: 'refused', reason: ' ' }, { kind: 'refused', reason: 7 }].map(nonsense),
  ])('fails after the last round when its scanner %s', async (_, scan) => {
    const id = await submitWithResume(stage);
    let scans = 0;
    const worker = scanningWith((...asked) => {
      scans += 1;
      return scan(...asked);
    });
    for (const [round, delay] of RESUME_DELAYS_MS.entries()) {
      if (round > 0) expect(await resumeOf(stage, id)).toEqual({ kind: 'pending', attempts: round });
      await stage.clock.advance(delay);
      await worker.drain();
      expect(scans).toBe(round + 1);
    }
    expect(await resumeOf(stage, id)).toEqual({
      kind: 'failed',
      reason: 'not_scanned',
      failedAt: stage.clock.now(),
    });
    await stage.clock.advance(DAY_MS);
    await worker.drain();
    expect([scans, stage.files]).toEqual([RESUME_DELAYS_MS.length, []]);
    const logged = { applicationId: id, err: expect.any(Error) };
    expect(stage.errors).toMatchObject(RESUME_DELAYS_MS.map(() => logged));
  });

  it('is stored in a later round when its scanner works again', async () => {
    const id = await submitWithResume(stage);
    let scans = 0;
    const worker = scanningWith(async () => {
      scans += 1;
      if (scans === 1) throw new Error('The scanner restarts.');
      return CLEAN;
    });
    await worker.drain();
    expect(stage.files).toEqual([]);
    await stage.clock.advance(30 * SECOND_MS);
    await worker.drain();
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'fetched' });
    expect([scans, stage.files.length]).toEqual([2, 1]);
  });

  it('waits a minute for a hanging scanner, aborts it and ignores its answer', async () => {
    const id = await submitWithResume(stage);
    const signals: AbortSignal[] = [];
    const ends: ((result: ResumeScanResult) => void)[] = [];
    const worker = scanningWith((_, { signal }) => {
      signals.push(signal);
      return new Promise((resolve) => ends.push(resolve));
    });
    const drained = worker.drain();
    await until(() => ends.length === 1);
    await stage.clock.advance(LATEST_SCAN_MS - 1);
    expect(signals[0]?.aborted).toBe(false);
    await stage.clock.advance(1);
    await drained;
    expect(signals[0]?.aborted).toBe(true);
    for (const end of ends) end(CLEAN);
    await settle();
    expect(await resumeOf(stage, id)).toEqual({ kind: 'pending', attempts: 1 });
    expect(stage.files).toEqual([]);
  });

  it('fails after the last round when its scanner hangs', async () => {
    const id = await submitWithResume(stage);
    let scans = 0;
    const worker = scanningWith(
      () => {
        scans += 1;
        return new Promise(() => {});
      },
      { options: { resumeConcurrency: 1 } },
    );
    for (const [round, delay] of RESUME_DELAYS_MS.entries()) {
      await stage.clock.advance(delay);
      const drained = worker.drain();
      await until(() => scans === round + 1);
      await stage.clock.advance(LATEST_SCAN_MS);
      await drained;
    }
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'failed', reason: 'not_scanned' });
    expect(stage.files).toEqual([]);
  });

  it.each<[string, (file: ResumeFile) => void]>([
    ['overwrites its bytes', ({ bytes }) => void bytes.fill(0)],
    [
      'hands its bytes to a thread',
      ({ bytes }) => void structuredClone(bytes, { transfer: [bytes.buffer as ArrayBuffer] }),
    ],
    [
      'replaces its fields',
      (file) => void Object.assign(file, { bytes: Buffer.from('else'), fileName: '../x', mediaType: 'x/y' }),
    ],
  ])('is stored unchanged although its scanner %s', async (_, spoil) => {
    await submitWithResume(stage);
    await scanningWith(async (file) => {
      spoil(file);
      return CLEAN;
    }).drain();
    expect(stage.files).toMatchObject([{ mediaType: 'application/pdf', fileName: 'resume.pdf' }]);
    expect(stage.files.map(({ bytes }) => [...bytes])).toEqual([[37, 80, 68, 70]]);
  });

  it('is scanned in every round', async () => {
    const id = await submitWithResume(stage);
    const served = ['Ada, welder', 'Ada, infected'];
    stage.downloadWith(() => download(served.shift() ?? 'nothing'));
    const scan: ResumeScanner['scan'] = async ({ bytes }) =>
      Buffer.from(bytes).toString().includes('infected') ? REFUSED : CLEAN;
    const offered: string[] = [];
    const store = async ({ bytes }: ResumeFile) => {
      offered.push(Buffer.from(bytes).toString());
      throw new Error('The store is down.');
    };
    await workThrough(scanningWith(scan, { resumeSink: { store } }));
    expect(new Set(offered)).toEqual(new Set(['Ada, welder']));
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'failed', reason: 'refused_by_scanner' });
  });

  it('is fetched and scanned again after a crash before storing', async () => {
    const id = await submitWithResume(stage);
    let scans = 0;
    const scan = async () => {
      scans += 1;
      return CLEAN;
    };
    let isOffered = false;
    const store = () => {
      isOffered = true;
      return new Promise<never>(() => {});
    };
    void scanningWith(scan, { resumeSink: { store } }).drain();
    await until(() => isOffered);
    // On the storage's clock, because the first worker's timers are dead.
    stage.clock.suspend(HOUR_MS);
    await scanningWith(scan).drain();
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'fetched' });
    expect([scans, stage.files.length]).toEqual([2, 1]);
  });

  it('stays with its worker while each step takes its full time', async () => {
    const id = await submitWithResume(stage);
    const { clock } = stage;
    const steps: string[] = [];
    const step = async (name: string, ms: number) => {
      steps.push(name);
      await clock.sleep(ms - 1);
    };
    const first = stage.worker({
      resumeSource: {
        fetch: async () => {
          await step('fetch', 3 * MINUTE_MS);
          return PDF;
        },
        close: async () => {},
      },
      resumeScanner: {
        scan: async () => {
          await step('scan', LATEST_SCAN_MS);
          return CLEAN;
        },
      },
      resumeSink: {
        store: async () => {
          await step('store', 2 * MINUTE_MS);
          if (steps.length < 5) throw new Error('The store is down.');
          return { location: 'store:1' };
        },
      },
    });
    const drained = first.drain();
    const other = stage.worker();
    for (const [count, minutes] of [3, 1, 2, 2, 2].entries()) {
      // The pause between two tries is in real time.
      await expect.poll(() => steps.length, { timeout: 5_000 }).toBe(count + 1);
      await clock.advance(minutes * MINUTE_MS - 2);
      await other.drain();
      await clock.advance(1);
    }
    await drained;
    expect(steps).toEqual(['fetch', 'scan', 'store', 'store', 'store']);
    expect(stage.files).toEqual([]);
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'fetched', location: 'store:1' });
  });

  it('is logged without its name when the scanner fails', async () => {
    const id = await submitWithResume(stage);
    stage.downloadWith(() => ({ ...PDF, fileName: 'Ada Lovelace.pdf' }));
    await scanningWith(() => Promise.reject(new Error('Scan of Ada Lovelace.pdf failed.'))).drain();
    expect(stage.errors).toMatchObject([{ applicationId: id, err: { message: 'Scan of ….pdf failed.' } }]);
  });

  it('keeps at most 200 characters of the reason', async () => {
    const id = await submitWithResume(stage);
    await scanningWith(async () => ({ kind: 'refused', reason: `${'🦠'.repeat(300)}` })).drain();
    expect(await resumeOf(stage, id)).toMatchObject({ detail: '🦠'.repeat(200) });
  });
});

function nonsense(answer: unknown): [string, ResumeScanner['scan']] {
  return [`answers ${JSON.stringify(answer)}`, async () => answer as ResumeScanResult];
}
