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

it('says on hover how long ago it was, the own time and UTC, and only UTC to somebody whose time is UTC', () => {
  const now = new Date().toISOString();
  expect(shownAt(0, now).title.split('\n')).toEqual(['just now', '2026-01-05 09:02:00 UTC']);
  expect(shownAt(-60, now).title.split('\n')).toEqual([
    'just now',
    expect.stringContaining('20'),
    '2026-01-05 09:02:00 UTC',
  ]);
});

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

it('says of each time that it is ago or ahead also the instant, with its zone', () => {
  expect(shownAt(0, ago(3 * 3_600_000)).textContent).toBe('3 h ago, 09:02 UTC');
  expect(shownAt(0, ago(-15.5 * 60_000)).textContent).toBe('in 15 min, 09:02 UTC');
  expect(shownAt(0, ago(86_400_000)).textContent).toBe('5 Jan 2026, 09:02 UTC');
  expect(shownAt(-120, ago(86_400_000)).textContent).toBe('5 Jan 2026, 09:02 UTC');
});

it('says of an exact instant how long ago it was, and the instant', () => {
  expect(shownAt(0, ago(86_400_000), 'exact').textContent).toBe('1 day ago (5 Jan 2026, 09:02 UTC)');
  expect(shownAt(0, '2020-01-05T09:02:00Z', 'exact').textContent).toBe('5 Jan 2026, 09:02 UTC');
});

it('says of an instant in a sentence only the time, unless it was on another day', () => {
  expect(shownAt(-60, ago(0), 'moment').textContent).toBe('09:02 UTC');
  expect(shownAt(0, '2026-01-05T09:02:00Z', 'moment').textContent).toBe('5 Jan 2026, 09:02 UTC');
});

it('leaves the times of an axis as they are', () => {
  expect(shownAt(-60, ago(0), 'clock').textContent).toBe('5 Jan 2026, 09:02 UTC');
});
