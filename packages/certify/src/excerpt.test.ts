import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readExcerpt, safeText } from './excerpt.js';

const SECRET = 'whsec_abcdefghijklmnopqrstuvwxyz';
const BARE = SECRET.slice('whsec_'.length);
const bytes = (text: string) => new TextEncoder().encode(text);

describe("a stranger's text", () => {
  test('is shown whole up to 160 characters, and cut with a mark beyond', () => {
    const longest = `${'a'.repeat(159)}z`;
    expect(safeText(longest, [])).toBe(longest);
    expect(safeText(`${longest}!`, [])).toBe(`${longest}…`);
  });

  test('loses each secret, wherever it stands and however often', () => {
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
  ])('that was cut in the midst of a secret loses what it still has: %s', (_what, rest, shown) => {
    expect(safeText(`No match with '${rest}`, [SECRET])).toBe(`No match with '${shown}`);
  });

  test('is not torn apart by a secret that is nothing but its prefix', () => {
    expect(safeText('No match.', ['whsec_'])).toBe('No match.');
  });
});

describe('the start of a body', () => {
  test('is put together from its pieces in their order', async () => {
    const body = ReadableStream.from([bytes('one '), bytes('two '), bytes('three')]);
    expect(await readExcerpt(new Response(body), [])).toBe('one two three');
  });

  test('is empty of an answer without one, and of one that breaks: its status has decided already', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('Cut.')) });
    expect(await readExcerpt(new Response(null, { status: 204 }), [])).toBe('');
    expect(await readExcerpt(new Response(broken), [])).toBe('');
  });

  test('is all that is read: the rest need not be sent', async () => {
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

  test('ends after a kilobyte, also in the midst of a piece', async () => {
    const body = bytes(`${' '.repeat(1_020)}1234567`);
    expect(await readExcerpt(new Response(body), [])).toBe('1234');
  });

  describe('that drips', () => {
    beforeEach(() => {
      vi.useFakeTimers();
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    test.each([
      ['and can be broken off', () => {}],
      ['and fails as it is broken off', () => Promise.reject(new Error('Gone.'))],
    ])('is what came within a second, %s', async (_what, cancel) => {
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

    test('and ends in time leaves no timer behind', async () => {
      await readExcerpt(new Response('all of it'), []);
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});
