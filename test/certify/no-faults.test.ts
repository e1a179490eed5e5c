import { timingSafeEqual } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { certifyWith, codesOf } from './certify-with.js';
import { OLD_SECRET, type Rules, SECRET } from './receiver.js';

describe('a receiver without faults', () => {
  test('passes without findings', async () => {
    const report = await certifyWith({});
    expect(report.findings).toEqual([]);
    expect(report.passed).toBe(true);
    expect(report.checks.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  });

  test.each([
    ['never reads X-Partner-Timestamp, as in the four steps of the guide', false],
    ['rejects an X-Partner-Timestamp that differs from t, as the verifier does', true],
  ])('passes without findings if it %s', async (_what, comparesHeaders) => {
    const report = await certifyWith({ comparesHeaders });
    expect(codesOf(report)).toEqual([]);
    expect(report.checks.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  });

  test('passes during a rotation with each secret', async () => {
    const secrets = [SECRET, OLD_SECRET];
    expect(codesOf(await certifyWith({ secrets }, { secret: secrets }))).toEqual([]);
  });

  test('passes after it has removed an old secret', async () => {
    expect(codesOf(await certifyWith({}, { oldSecret: OLD_SECRET }))).toEqual([]);
  });

  test.each([100, 102, 103])('passes with an unrequested %i before each response', async (status) => {
    const report = await certifyWith({
      before: ({ socket }) => {
        socket.write(`HTTP/1.1 ${status} Wait\r\n\r\n`);
        return false;
      },
    });
    expect(codesOf(report)).toEqual([]);
  });

  test.each([0, 1, 5])(
    'closing a connection %i ms after its answer, without a word before, passes',
    async (ms) => {
      const report = await certifyWith({
        before: ({ socket }, response) => {
          response.on('finish', () => setTimeout(() => socket.destroy(), ms));
          return false;
        },
        // Closes connections that arrive during shutdown.
        readBody: (request) => text(request).catch(() => ''),
      });
      expect(codesOf(report)).toEqual([]);
    },
  );

  test.each([
    [
      'fails_instead_of_refusing',
      'crashes on a signature of another length',
      { refusal: 400, before: crashOnOtherLengths },
    ],
    ['throttles_instead_of_refusing', 'throttles what does not verify', { refusal: 429 }],
    ['refuses_large_body', 'has a limit of 16 kB', { before: limitBodies }],
  ] as const)('%s is a warning: one that %s passes', async (finding, _what, change) => {
    const report = await certifyWith(change);
    expect(codesOf(report)).toEqual([finding]);
    expect(report.passed).toBe(true);
  });
});

/** Like `timingSafeEqual` without a check of the lengths. */
function crashOnOtherLengths(...[request, response]: Parameters<Rules['before']>): boolean {
  const [, given = ''] = /v1=(\w*)/.exec(String(request.headers['x-partner-signature'])) ?? [];
  try {
    timingSafeEqual(Buffer.alloc(64), Buffer.from(given));
    return false;
  } catch {
    request.resume().on('end', () => response.writeHead(500).end());
    return true;
  }
}

function limitBodies(...[request, response]: Parameters<Rules['before']>): boolean {
  if (Number(request.headers['content-length']) < 16_384) return false;
  request.resume().on('end', () => response.writeHead(413).end());
  return true;
}
