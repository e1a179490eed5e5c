import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FindingCode } from '@partner-hiring/certify';
import { describe, expect, test } from 'vitest';
import { certifyWith, codesOf } from './certify-with.js';
import { PLANTED, throttledAfter } from './planted.js';
import type { Rules } from './receiver.js';

describe('a receiver with one fault fails with the finding that names it, and no other:', () => {
  test.each(PLANTED)('one that $fault', async ({ change, options = {}, finding }) => {
    const report = await certifyWith(change, options);
    expect(codesOf(report)).toEqual([finding]);
    expect(report.passed).toBe(false);
  });
});

test.each([
  [
    'takes the age from the header that nobody signed',
    'trusts_timestamp_header',
    { agedBy: (_t, header) => header, comparesHeaders: false },
  ],
  [
    'verifies the plain header and takes the age from t',
    'accepts_tampered_timestamp',
    { signedAt: (_t, header) => header, comparesHeaders: false },
  ],
  [
    'verifies the body parsed and written again',
    'verifies_other_bytes',
    { signedBody: (raw) => JSON.stringify(JSON.parse(raw)) },
  ],
] as const satisfies readonly (readonly [string, FindingCode, Partial<Rules>])[])(
  'one that refuses by failing, and %s, does not pass for it',
  async (_what, finding, change) => {
    const report = await certifyWith({ ...change, refusal: 500 });
    expect(codesOf(report)).toEqual([finding, 'fails_instead_of_refusing']);
    expect(report.passed).toBe(false);
  },
);

test('a receiver that limits requests is asked nothing more: who is throttled shows nothing', async () => {
  const { checks } = await certifyWith({ before: throttledAfter(5) });
  const at = checks.findIndex(({ finding }) => finding === 'throttles');
  expect(at).toBeGreaterThan(0);
  expect(checks.slice(at + 1).every(({ verdict }) => verdict === 'skipped')).toBe(true);
});

test('a receiver that a bad delivery ends is named as such, and asked nothing more', async () => {
  const report = await certifyWith({
    before: (request) => {
      if (request.headers['x-partner-signature'] !== 'certify') return false;
      request.socket.destroy();
      // Only what is new is refused: as if the process had ended.
      const { server } = request.socket as unknown as { server: Server };
      server.close();
      return true;
    },
  });
  expect(codesOf(report)).toEqual(['went_away', 'fails_instead_of_refusing']);
  expect(report.checks.at(-1)?.verdict).toBe('skipped');
});

test('a receiver that gives connections up on four deliveries at once fails, though each alone would be taken', async () => {
  let underWay = 0;
  const report = await certifyWith({
    before: ({ socket }, response) => {
      underWay += 1;
      response.on('close', () => {
        underWay -= 1;
      });
      if (underWay > 1) socket.destroy();
      return underWay > 1;
    },
    work: () => sleep(20),
  });
  expect(codesOf(report)).toEqual(['fails_at_once']);
});
