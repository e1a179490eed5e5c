import { createFakeClock, settle } from '@partner-hiring/test-support/clock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '../../domain/time.js';
import type { ResumeFile } from '../../ports/resumes.js';
import { createResumeRound } from './resume-round.js';

const PDF = [37, 80, 68, 70];
const FILE = { bytes: Buffer.from(PDF), mediaType: 'application/pdf', fileName: 'ada.pdf' };

// The pauses between tries are timers, the time that a try may take is the clock's.
beforeEach(
  () => void vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }),
);
afterEach(() => void vi.useRealTimers());

describe('a résumé', () => {
  it('is handed to the store as it was fetched', async () => {
    const files: ResumeFile[] = [];
    const { ended } = begin(async (file) => {
      files.push(file);
      return { location: 'store:1' };
    });
    expect(await ended).toEqual({ kind: 'stored', location: 'store:1' });
    expect(files).toEqual([{ applicationId: 'ej_app_1', ...FILE }]);
  });

  it('is offered three times within a second to a store that refuses it', async () => {
    const offeredAt: number[] = [];
    const { ended } = begin(() => {
      offeredAt.push(Date.now());
      return Promise.reject(new Error('The store is down.'));
    });
    await vi.runAllTimersAsync();
    expect(await ended).toEqual({ kind: 'failed', reason: 'not_stored', retryable: true });
    expect(offeredAt).toEqual([0, 200, 600]);
  });

  it('is offered whole again to a store that handed its bytes to a thread and failed', async () => {
    const offered: ResumeFile[] = [];
    const { ended } = begin(async (file) => {
      offered.push(structuredClone(file, { transfer: [file.bytes.buffer as ArrayBuffer] }));
      if (offered.length === 1) throw new Error('The thread broke.');
      return { location: 'store:1' };
    });
    await vi.runAllTimersAsync();
    expect(await ended).toMatchObject({ kind: 'stored' });
    expect(offered.map(({ bytes }) => [...bytes])).toEqual([[...PDF], [...PDF]]);
  });

  it('is offered for two minutes at a time to a store that never answers', async () => {
    let offers = 0;
    const { clock, ended } = begin(() => {
      offers += 1;
      return new Promise(() => {});
    });
    const offered: number[] = [];
    for (let tries = 0; tries < 3; tries += 1) {
      await vi.runAllTimersAsync();
      await settle();
      await clock.advance(2 * MINUTE_MS - 1);
      offered.push(offers);
      await clock.advance(1);
    }
    expect(await ended).toEqual({ kind: 'failed', reason: 'not_stored', retryable: true });
    expect(offered).toEqual([1, 2, 3]);
  });
});

/** One round of a résumé that is fetched at once. */
function begin(store: (file: ResumeFile) => Promise<{ readonly location: string }>) {
  const clock = createFakeClock();
  const round = createResumeRound({
    source: { fetch: async () => ({ kind: 'fetched', ...FILE }), close: async () => {} },
    scanner: undefined,
    sink: { store },
    clock,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const task = {
    applicationId: 'ej_app_1',
    keyId: 'key_1',
    url: 'https://cv.example/ada.pdf',
    attempts: 0,
    dueAt: clock.now(),
  } as const;
  return { clock, ended: round(task) };
}
