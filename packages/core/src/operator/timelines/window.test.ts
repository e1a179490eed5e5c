import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TimelineEntry } from '../../features/timelines/timeline.js';
import { mergeParts, partOf, type TimelineWindow } from '../../features/timelines/timeline-parts.js';

interface Row {
  readonly at: number;
  readonly name: string;
}

/** The rows that a repository returns: the newest ones of the window, at most `limit`. */
function readSource(source: readonly Row[], { from, until, limit }: TimelineWindow): readonly Row[] {
  return source
    .filter(({ at }) => at >= from && at < until)
    .toSorted((a, b) => b.at - a.at)
    .slice(0, limit);
}

function entryOf({ at, name }: Row): TimelineEntry {
  return { kind: 'resume', state: 'fetched', reason: null, at, text: name };
}

function read(sources: readonly (readonly Row[])[], window: TimelineWindow) {
  return mergeParts(
    window,
    sources.map((source) => partOf(window, readSource(source, window), (row) => [entryOf(row)])),
  );
}

it('reading on from `completeFrom` returns every entry once, oldest first', () => {
  const instants = fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 40 });
  fc.assert(
    fc.property(fc.array(instants, { maxLength: 4 }), fc.integer({ min: 1, max: 9 }), (sources, limit) => {
      // No source has more rows of one instant than the limit.
      const rows = sources.map((all, number) =>
        [...new Set(all)].map((at) => ({ at: at * 9 + number, name: `${number} ${at}` })),
      );
      const pages: string[][] = [];
      for (let until: number | null = 10_000; until !== null; ) {
        const page: ReturnType<typeof read> = read(rows, { from: 0, until, limit });
        expect(page.entries.length).toBeLessThanOrEqual(limit);
        expect(page.completeFrom ?? -1).toBeLessThan(until);
        pages.unshift(page.entries.map(({ text }) => text));
        until = page.completeFrom;
      }
      const all = rows.flat().toSorted((a, b) => a.at - b.at);
      expect(pages.flat()).toEqual(all.map(({ name }) => name));
    }),
  );
});

it('comes past an instant with more entries than the limit', () => {
  const crowded = Array.from({ length: 5 }, (_, index) => ({ at: 7, name: `${index}` }));
  const source = [{ at: 3, name: 'before' }, ...crowded];
  const page = read([source], { from: 0, until: 10, limit: 2 });
  expect(page.entries).toHaveLength(2);
  expect(page.completeFrom).toBe(7);
  expect(read([source], { from: 0, until: 7, limit: 2 })).toMatchObject({
    entries: [{ text: 'before' }],
    completeFrom: null,
  });
});
