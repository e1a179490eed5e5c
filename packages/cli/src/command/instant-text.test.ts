import { expect, test } from 'vitest';
import { readInstant } from './instant-text.js';

const NOW = Date.UTC(2026, 10, 28, 10);

test.each([
  ['2026-11-13', Date.UTC(2026, 10, 13)],
  ['2026-11-13T09:00Z', Date.UTC(2026, 10, 13, 9)],
  ['3d', Date.UTC(2026, 10, 25, 10)],
  ['12h', Date.UTC(2026, 10, 27, 22)],
  ['30m', Date.UTC(2026, 10, 28, 9, 30)],
  ['2w', Date.UTC(2026, 10, 14, 10)],
  ['999999w', 0],
])('%s is an instant', (text, expected) => {
  expect(readInstant(text, NOW)).toBe(expected);
});

test.each(['2026-02-30', '2026-13-01', '3', 'd', '3 d', '3D', '1.5h', '2026-11-13 09:00', 'yesterday', ''])(
  '"%s" is no instant',
  (text) => {
    expect(readInstant(text, NOW)).toBeNull();
  },
);
