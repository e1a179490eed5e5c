import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

const SCRIPT = readFileSync(new URL('times.js', import.meta.url), 'utf8');

/** Runs the script on an instant, for somebody whose clock is this far from UTC. */
function shownAt(offsetMinutes: number, dateTime = '2026-01-05T09:02:00Z', name = '') {
  const title = '2026-01-05 09:02:00 UTC';
  const classList = { contains: (asked: string) => asked === name };
  const time = { dateTime, title, textContent: '5 Jan 2026, 09:02 UTC', dataset: {}, classList };
  class LocalDate extends Date {
    override getTimezoneOffset() {
      return offsetMinutes;
    }
  }
  const document = { querySelectorAll: () => [time], addEventListener: () => {} };
  runInNewContext(SCRIPT, { document, Date: LocalDate, Intl, setInterval: () => {} });
  return time;
}

it('says on hover the own time and UTC, and only UTC to somebody whose time is UTC', () => {
  expect(shownAt(0).title).toBe('2026-01-05 09:02:00 UTC');
  expect(shownAt(-60).title.split('\n')).toEqual([
    expect.stringContaining('2026'),
    '2026-01-05 09:02:00 UTC',
  ]);
});

it('says of an exact instant how long ago it was, and the instant', () => {
  const dayAgo = new Date(Date.now() - 86_400_000).toISOString();
  expect(shownAt(0, dayAgo, 'exact').textContent).toBe('1 day ago (5 Jan 2026, 09:02 UTC)');
  expect(shownAt(0, '2020-01-05T09:02:00Z', 'exact').textContent).toBe('5 Jan 2026, 09:02 UTC');
  expect(shownAt(0, dayAgo).textContent).toBe('1 day ago');
});

it('says of an instant in a sentence only the time, unless it was on another day', () => {
  const now = new Date().toISOString();
  expect(shownAt(0, now, 'moment').textContent).toMatch(/^\d\d:\d\d$/);
  expect(shownAt(0, '2026-01-05T09:02:00Z', 'moment').textContent).toMatch(/^5 Jan 2026, \d\d:\d\d$/);
});
