/** Contract: 6.10, fetching a résumé. */
import type { KeyId, ResumeDownload } from '@partner-hiring/core';
import { settle } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { RESUME_DELAYS_MS } from '../../../packages/core/src/domain/resume.js';
import { MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { NetworkUnavailable } from '../../../packages/core/src/errors.js';
import { openStage, PDF, until } from './stage.js';
import { resumeOf, submitWithResume } from './submission.js';

const TIMED_OUT: ResumeDownload = { kind: 'failed', reason: 'timed_out', retryable: true };
const TOO_LARGE: ResumeDownload = { kind: 'failed', reason: 'too_large', retryable: false };

const stage = perTest(openStage, ({ close }) => close());

describe('a résumé', () => {
  it('is fetched and passed to the host once, with its location recorded', async () => {
    const id = await submitWithResume(stage);
    await stage.worker().drain();
    expect(stage.files).toMatchObject([{ applicationId: id, mediaType: 'application/pdf' }]);
    expect(await resumeOf(stage, id)).toEqual({
      kind: 'fetched',
      location: 'memory:resume.pdf',
      fetchedAt: stage.clock.now(),
    });
    await stage.clock.advance(60 * MINUTE_MS);
    await stage.worker().drain();
    expect(stage.files).toHaveLength(1);
  });

  it('is fetched again after the process slept past its lease, and `stop` waits for both', async () => {
    const id = await submitWithResume(stage);
    const ends: (() => void)[] = [];
    stage.downloadWith(() => new Promise((resolve) => ends.push(() => resolve(PDF))));
    const worker = stage.start();
    await until(() => ends.length === 1);
    stage.clock.suspend(11 * MINUTE_MS);
    await stage.clock.advance(1_000);
    await until(() => ends.length === 2);
    ends[0]?.();
    await settle(20);
    let isStopped = false;
    const stopped = worker.stop().then(() => {
      isStopped = true;
    });
    await settle(20);
    expect(isStopped).toBe(false);
    expect(await resumeOf(stage, id)).toEqual({ kind: 'pending', attempts: 0 });
    ends[1]?.();
    await stopped;
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'fetched' });
    expect(stage.errors).toEqual([]);
  });

  it('is not delayed by hanging résumés of another key', async () => {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const fetch = (url: string) => {
      begun.push(url);
      return new Promise<ResumeDownload>((resolve) => ends.set(url, () => resolve(TOO_LARGE)));
    };
    const hanging = await stage.key();
    const submit = (name: string, keyId: KeyId) =>
      submitWithResume(stage, `https://cv.example/${name}`, undefined, keyId);
    for (const name of ['1', '2', '3']) await submit(name, hanging);
    await stage.clock.advance(1);
    await submit('other', await stage.key());
    stage.start({ resumeSource: { fetch, close: async () => {} }, options: { resumeConcurrency: 2 } });
    await until(() => begun.length === 2);
    ends.get(begun[0] ?? '')?.();
    await until(() => begun.length === 3);
    expect(begun[2]).toBe('https://cv.example/other');
    await until(() => {
      for (const end of ends.values()) end();
      return begun.length === 4;
    });
    for (const end of ends.values()) end();
  });

  it('is not delayed by the retried résumés of another host of its key', async () => {
    stage.setJitter(1 / 3);
    const keyId = await stage.key();
    const tried = new Map<string, number>();
    const ends: (() => void)[] = [];
    let isHanging = false;
    const resumeSource = {
      async fetch(url: string) {
        if (!url.startsWith('https://slow.example/')) return PDF;
        tried.set(url, (tried.get(url) ?? 0) + 1);
        if (isHanging) await new Promise<void>((resolve) => ends.push(resolve));
        return TIMED_OUT;
      },
      close: async () => {},
    };
    for (let count = 0; count < 30; count += 1)
      await submitWithResume(stage, `https://slow.example/${count}`, undefined, keyId);
    await stage.worker({ resumeSource }).drain();
    await stage.clock.advance(MINUTE_MS);
    await stage.worker({ resumeSource }).drain();
    expect(tried.size).toBe(30);

    isHanging = true;
    await stage.clock.advance(30 * MINUTE_MS);
    const other = await submitWithResume(stage, 'https://quick.example/1', undefined, keyId);
    const running = stage.start({ resumeSource, options: { resumeConcurrency: 4 } });
    await until(() => ends.length === 2);
    await settle(50);
    expect(await resumeOf(stage, other)).toMatchObject({ kind: 'fetched' });
    expect(ends).toHaveLength(2);
    isHanging = false;
    for (const end of ends) end();
    await running.stop();
    for (let minutes = 0; minutes < 15; minutes += 1) {
      await stage.clock.advance(MINUTE_MS);
      await stage.worker({ resumeSource }).drain();
    }
    expect([...tried.values()].filter((count) => count !== 3)).toEqual([]);
  });

  it('is fetched 1, 10 and 60 minutes after the server did not give it', async () => {
    const id = await submitWithResume(stage);
    stage.downloadWith(() => ({ kind: 'failed', reason: 'bad_status', retryable: true }));
    const worker = stage.worker();
    await worker.drain();
    for (const [made, minutes] of [1, 10, 60].entries()) {
      expect(await resumeOf(stage, id)).toEqual({ kind: 'pending', attempts: made + 1 });
      await stage.clock.advance(minutes * MINUTE_MS - 1);
      await worker.drain();
      expect(await resumeOf(stage, id)).toEqual({ kind: 'pending', attempts: made + 1 });
      await stage.clock.advance(1);
      await worker.drain();
    }
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'failed', reason: 'bad_status' });
  });

  it('fails with the detail of its source', async () => {
    const id = await submitWithResume(stage);
    stage.downloadWith(() => ({ ...TOO_LARGE, reason: 'unsupported_content', detail: 'a short text' }));
    await stage.worker().drain();
    expect(await resumeOf(stage, id)).toMatchObject({
      reason: 'unsupported_content',
      detail: 'a short text',
    });
  });

  it('fails after the last round when its source throws', async () => {
    const id = await submitWithResume(stage);
    let rounds = 0;
    stage.downloadWith(() => {
      rounds += 1;
      throw new Error('The source is broken.');
    });
    const worker = stage.worker();
    for (let minutes = 0; minutes < 120; minutes += 5) {
      await worker.drain();
      await stage.clock.advance(5 * MINUTE_MS);
    }
    expect(rounds).toBe(RESUME_DELAYS_MS.length);
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'failed', reason: 'not_fetched' });
  });

  it('uses up no round while the network is unavailable', async () => {
    const id = await submitWithResume(stage);
    stage.downloadWith(() => {
      throw new NetworkUnavailable('No file descriptor is left.');
    });
    const worker = stage.worker();
    for (let minutes = 0; minutes < 120; minutes += 5) {
      await worker.drain();
      await stage.clock.advance(5 * MINUTE_MS);
    }
    expect(await resumeOf(stage, id)).toEqual({ kind: 'pending', attempts: 0 });
    stage.downloadWith(() => ({ kind: 'failed', reason: 'too_large', retryable: false }));
    await stage.clock.advance(10 * MINUTE_MS);
    await worker.drain();
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'failed', reason: 'too_large' });
  });

  it('fails after the last round when its source never answers', async () => {
    const id = await submitWithResume(stage);
    let rounds = 0;
    stage.downloadWith(() => {
      rounds += 1;
      return new Promise(() => {});
    });
    const worker = stage.worker();
    for (const [round, delay] of RESUME_DELAYS_MS.entries()) {
      await stage.clock.advance(delay);
      const drained = worker.drain();
      await until(() => rounds === round + 1);
      await stage.clock.advance(3 * MINUTE_MS);
      await drained;
    }
    expect(rounds).toBe(RESUME_DELAYS_MS.length);
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'failed', reason: 'not_fetched' });
  });

  it('fails at once after a permanent error', async () => {
    const id = await submitWithResume(stage);
    stage.downloadWith(() => TOO_LARGE);
    await stage.worker().drain();
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'failed', reason: 'too_large' });
    expect(stage.files).toEqual([]);
  });

  it.each([TOO_LARGE, TIMED_OUT])(
    'is fetched again after a crash, and the late result of the first fetch is ignored: $reason',
    async (late) => {
      const id = await submitWithResume(stage);
      let endLate = (_: ResumeDownload) => {};
      stage.downloadWith(
        () =>
          new Promise((resolve) => {
            endLate = resolve;
          }),
      );
      const doomed = stage.worker().drain();
      await settle();
      await stage.clock.advance(10 * MINUTE_MS);
      stage.downloadWith(() => PDF);
      await stage.worker().drain();
      endLate(late);
      await doomed;
      expect(await resumeOf(stage, id)).toMatchObject({ kind: 'fetched' });
    },
  );

  it('is fetched by `drain` even with a concurrency of 1', async () => {
    for (let count = 0; count < 3; count += 1) await submitWithResume(stage);
    await stage.worker({ options: { resumeConcurrency: 1 } }).drain();
    expect(stage.files).toHaveLength(3);
  });

  it('does not block others while it hangs', async () => {
    const ids = [];
    for (let count = 0; count < 10; count += 1) ids.push(await submitWithResume(stage));
    let calls = 0;
    let end = () => {};
    stage.downloadWith(() => {
      calls += 1;
      if (calls > 1) return PDF;
      return new Promise((resolve) => {
        end = () => resolve(PDF);
      });
    });
    const worker = stage.worker();
    worker.start();
    await until(() => stage.files.length === 9);
    end();
    await worker.stop();
    expect(stage.files).toHaveLength(10);
  });
});
