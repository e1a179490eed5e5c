import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readExcerpt, safeText } from './excerpt.js';

const SECRET = 'whsec_abcdefghijklmnopqrstuvwxyz';
const BARE = SECRET.slice('whsec_'.length);
const bytes = (text: string) => new TextEncoder().encode(text);

describe('the text of a receiver', () => {
  test('is truncated after 160 characters', () => {
    const longest = `${'a'.repeat(159)}z`;
    expect(safeText(longest, [])).toBe(longest);
    expect(safeText(`${longest}!`, [])).toBe(`${longest}…`);
  });

  test('has every occurrence of a secret redacted', () => {
    const old = 'whsec_another-one';
    expect(safeText(`${SECRET}, ${old} or ${BARE}, ${SECRET}?`, [SECRET, old])).toBe(
      '(secret), (secret) or (secret), (secret)?',
    );
  });

  test.each([
    ['all but its last letter', SECRET.slice(0, -1), '(secret)'],
    ['as little as eight letters of it', SECRET.slice(0, 8), '(secret)'],
    ['all but the last letter behind its prefix', BARE.slice(0, -1), '(secret)'],
    ['seven letters, which tell nothing', BARE.slice(0, 7), BARE.slice(0, 7)],
    ['nothing', '', ''],
  ])('has a truncated secret redacted: %s', (_what, rest, shown) => {
    expect(safeText(`No match with '${rest}`, [SECRET])).toBe(`No match with '${shown}`);
  });

  test('does not change for a secret that is only a prefix', () => {
    expect(safeText('No match.', ['whsec_'])).toBe('No match.');
  });
});

describe('the start of a body', () => {
  test('joins its pieces in order', async () => {
    const body = ReadableStream.from([bytes('one '), bytes('two '), bytes('three')]);
    expect(await readExcerpt(new Response(body), [])).toBe('one two three');
  });

  test('is empty without a body, or if reading it fails', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('Cut.')) });
    expect(await readExcerpt(new Response(null, { status: 204 }), [])).toBe('');
    expect(await readExcerpt(new Response(broken), [])).toBe('');
  });

  test('does not wait for the rest', async () => {
    let pieces = 0;
    let isCancelled = false;
    const endless = new ReadableStream(
      {
        pull: (controller) => {
          pieces += 1;
          controller.enqueue(bytes(`${pieces}${' '.repeat(511)}`));
        },
        cancel: () => {
          isCancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    await readExcerpt(new Response(endless), []);
    expect([pieces, isCancelled]).toEqual([2, true]);
  });

  test('ends after a kilobyte, even within a piece', async () => {
    const body = bytes(`${' '.repeat(1_020)}1234567`);
    expect(await readExcerpt(new Response(body), [])).toBe('1234');
  });

  describe('of a slow response', () => {
    beforeEach(() => {
      vi.useFakeTimers();
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    test.each([
      ['and can be broken off', () => {}],
      ['and fails as it is broken off', () => Promise.reject(new Error('Gone.'))],
    ])('has the bytes of one second, %s', async (_what, cancel) => {
      let excerpt: string | null = null;
      const drip = new ReadableStream({
        start: (controller) => controller.enqueue(bytes('one drop')),
        cancel,
      });
      const reading = readExcerpt(new Response(drip), []).then((text) => {
        excerpt = text;
      });
      await vi.advanceTimersByTimeAsync(999);
      expect(excerpt).toBeNull();
      await vi.advanceTimersByTimeAsync(1);
      await reading;
      expect(excerpt).toBe('one drop');
    });

    test('leaves no timer when it ends in time', async () => {
      await readExcerpt(new Response('all of it'), []);
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});
