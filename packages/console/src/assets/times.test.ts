import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

const SCRIPT = readFileSync(new URL('times.js', import.meta.url), 'utf8');

/** Returns what the script says on hover of an instant, for somebody whose clock is this far from UTC. */
function titleAt(offsetMinutes: number): string {
  const title = '2026-01-05 09:02:00 UTC';
  const classList = { contains: () => false };
  const time = { dateTime: '2026-01-05T09:02:00Z', title, textContent: '', dataset: {}, classList };
  class LocalDate extends Date {
    override getTimezoneOffset() {
      return offsetMinutes;
    }
  }
  const document = { querySelectorAll: () => [time], addEventListener: () => {} };
  runInNewContext(SCRIPT, { document, Date: LocalDate, Intl, setInterval: () => {} });
  return time.title;
}

it('says on hover the own time and UTC, and only UTC to somebody whose time is UTC', () => {
  expect(titleAt(0)).toBe('2026-01-05 09:02:00 UTC');
  expect(titleAt(-60).split('\n')).toEqual([expect.stringContaining('2026'), '2026-01-05 09:02:00 UTC']);
});
