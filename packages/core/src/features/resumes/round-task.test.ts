import { createFakeClock, settle } from '@partner-hiring/test-support/clock';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeError } from '../../domain/describe-error.js';
import { MINUTE_MS } from '../../domain/time.js';
import type { ResumeFile } from '../../ports/resumes.js';
import { createResumeRound, redactFileName } from './round-task.js';

const PDF = [37, 80, 68, 70];
const FILE = { bytes: Buffer.from(PDF), mediaType: 'application/pdf', fileName: 'ada.pdf' };

describe('createResumeRound', () => {
  // The pauses between tries use real timers, the limit of a try uses the clock.
  beforeEach(
    () => void vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }),
  );
  afterEach(() => void vi.useRealTimers());

  it('passes the downloaded file to the store', async () => {
    const files: ResumeFile[] = [];
    const { ended } = begin(async (file) => {
      files.push(file);
      return { location: 'store:1' };
    });
    expect(await ended).toEqual({ kind: 'stored', location: 'store:1' });
    expect(files).toEqual([{ applicationId: 'ej_app_1', ...FILE }]);
  });

  it('tries to store three times within a second', async () => {
    const offeredAt: number[] = [];
    const { ended } = begin(() => {
      offeredAt.push(Date.now());
      return Promise.reject(new Error('The store is down.'));
    });
    await vi.runAllTimersAsync();
    expect(await ended).toEqual({ kind: 'failed', reason: 'not_stored', retryable: true });
    expect(offeredAt).toEqual([0, 200, 600]);
  });

  it('passes fresh bytes after a store transferred them and failed', async () => {
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

  it('waits two minutes for each try of a store that never answers', async () => {
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

const textOf = (error: unknown) => JSON.stringify(describeError(error));

describe('redactFileName', () => {
  it.each([
    ['Upload of Ada Lovelace CV.pdf failed', 'Upload of ….pdf failed'],
    ['no room for Ada Lovelace CV', 'no room for …'],
    ['PUT cv/ada_lovelace-cv.pdf: 507', 'PUT cv/….pdf: 507'],
    ['PUT Ada%20Lovelace%20CV.pdf: 507', 'PUT ….pdf: 507'],
    ['ada+lovelace+cv and AdaLovelaceCV', '… and …'],
    ['The store of Adas is down, cv or not', 'The store of Adas is down, cv or not'],
  ])('removes the name in any form: %s', (message, expected) => {
    expect(redactFileName(new Error(message), 'Ada Lovelace CV.pdf')).toMatchObject({ message: expected });
  });

  it.each([
    ['Zoë Müller.pdf', `key ${encodeURIComponent('Zoë Müller')} and ${'Zoë Müller'.normalize('NFD')}`],
    ['李小龙.docx', `key 李小龙.docx and ${encodeURIComponent('李小龙')}`],
    ['O’Hara (2).pdf', 'key O’Hara (2).pdf and o_hara_2'],
  ])('removes a name in any alphabet: %s', (fileName, message) => {
    expect(redactFileName(new Error(message), fileName)).toHaveProperty(
      'message',
      expect.stringMatching(/^key …[.)\w]* and …$/),
    );
  });

  it('keeps the class, code and frames, and redacts the causes', () => {
    const cause = new TypeError('Ada.pdf is taken');
    const error = Object.assign(new RangeError('no Ada.pdf\n    at Ada (a.js:1:2)', { cause }), {
      code: 'E_FULL',
    });
    const clean = redactFileName(error, 'Ada.pdf');
    expect(describeError(clean)).toEqual({
      name: 'RangeError',
      message: 'no ….pdf\n    at … (a.js:1:2)',
      code: 'E_FULL',
      stack: expect.stringMatching(/^ +at .*round-task\.test\.ts/),
      cause: expect.objectContaining({ name: 'TypeError', message: '….pdf is taken' }),
    });
    expect(clean).toBeInstanceOf(RangeError);
    expect(textOf(clean).match(/Ada/g)).toBeNull();
  });

  it('keeps frames that contain the name', () => {
    const error = new Error('no test.pdf');
    expect(describeError(redactFileName(error, 'test.pdf')).stack).toBe(describeError(error).stack);
  });

  it('accepts non-errors, circular causes and names without letters', () => {
    expect(redactFileName('Ada', 'Ada.pdf')).toBe('Ada');
    expect(redactFileName(new Error('a b'), '...pdf')).toHaveProperty('message', 'a b');
    const circular = new Error('Ada');
    circular.cause = circular;
    expect(textOf(redactFileName(circular, 'Ada.pdf'))).not.toContain('Ada');
  });

  it('removes the name as a separate word', () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{2,9}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(' ', '_', '-', '%20'),
        (words, gap) => {
          const message = `cannot put ${words.join(gap)}.pdf there`;
          expect(redactFileName(new Error(message), `${words.join(' ')}.pdf`)).toHaveProperty(
            'message',
            'cannot put ….pdf there',
          );
        },
      ),
    );
  });
});

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
