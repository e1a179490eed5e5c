import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FindingCode } from '@partner-hiring/certify';
import { describe, expect, test } from 'vitest';
import { certifyWith, codesOf } from './certify-with.js';
import { PLANTED, throttledAfter } from './planted.js';
import type { Rules } from './receiver.js';

describe('reports exactly the finding of a receiver with one fault:', () => {
  test.each(PLANTED)('one that $fault', async ({ change, options = {}, finding }) => {
    const report = await certifyWith(change, options);
    expect(codesOf(report)).toEqual([finding]);
    expect(report.passed).toBe(false);
  });
});

test.each([
  [
    'takes the age from the unsigned header',
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
  'fails a receiver that rejects by failing and %s',
  async (_what, finding, change) => {
    const report = await certifyWith({ ...change, refusal: 500 });
    expect(codesOf(report)).toEqual([finding, 'fails_instead_of_refusing']);
    expect(report.passed).toBe(false);
  },
);

test('stops after a 429, which hides further results', async () => {
  const { checks } = await certifyWith({ before: throttledAfter(5) });
  const at = checks.findIndex(({ finding }) => finding === 'throttles');
  expect(at).toBeGreaterThan(0);
  expect(checks.slice(at + 1).every(({ verdict }) => verdict === 'skipped')).toBe(true);
});

test('reports a receiver that a bad delivery has crashed, and stops', async () => {
  const report = await certifyWith({
    before: (request) => {
      if (request.headers['x-partner-signature'] !== 'certify') return false;
      request.socket.destroy();
      // Rejects new connections, as if the process had ended.
      const { server } = request.socket as unknown as { server: Server };
      server.close();
      return true;
    },
  });
  expect(codesOf(report)).toEqual(['went_away', 'fails_instead_of_refusing']);
  expect(report.checks.at(-1)?.verdict).toBe('skipped');
});

test('fails a receiver that closes connections on four concurrent deliveries', async () => {
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
