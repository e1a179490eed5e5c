/** Checks the published vectors independently of the verifier. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import type { Vector, VectorBody, VectorFile } from './vectors/format.js';
import { VECTORS_FILE, vectorsText } from './vectors/vectors-file.js';

const text = readFileSync(VECTORS_FILE, 'utf8');
const { verify, sign, reasons }: VectorFile = JSON.parse(text);

type IsGenuine = (body: Buffer, header: string, secret: string, now: number) => boolean;

function bytesOf(body: VectorBody): Buffer {
  if (body === null || 'parsed' in body) throw new Error('It has no bytes.');
  return 'text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64');
}

/** The signature header of a vector and its parts. */
function signatureOf({ headers }: Pick<Vector, 'headers'>): { header: string; t: string; v1: string[] } {
  const isSignature = ([name]: Vector['headers'][number]) => name.toLowerCase() === 'x-partner-signature';
  const values = headers.filter(isSignature).map(([, value]) => value);
  const header = values.join(', ');
  const entries = header.split(',').map((entry) => entry.trim().split('='));
  const valuesOf = (wanted: string) =>
    entries.filter(([name]) => name === wanted).map(([, value]) => value ?? '');
  return { header, t: valuesOf('t')[0] ?? '', v1: valuesOf('v1') };
}

const outcomeOf = ({ expected }: Vector) => (expected.ok ? 'verified' : expected.reason);
const withOutcome = (...outcomes: readonly string[]) =>
  verify.filter((vector) => outcomes.includes(outcomeOf(vector)));
const SIGNED = ['verified', 'malformed_body', 'unsupported_version'];

test('equal the output of `npm run vectors`', () => {
  expect(text === vectorsText(), 'Run npm run vectors and commit the result.').toBe(true);
});

test('have unique names', () => {
  for (const list of [verify, sign]) expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
});

test('the vectors cover each outcome, and each reason more than once', () => {
  for (const outcome of ['verified', ...Object.keys(reasons)]) {
    expect(withOutcome(outcome).length, outcome).toBeGreaterThanOrEqual(2);
  }
});

describe('required', () => {
  const outcomesOf = (isRequired: boolean) =>
    new Set(verify.filter(({ required }) => required === isRequired).map(outcomeOf));

  test('each vector says whether it is, and each outcome of the page is required', () => {
    expect(verify.filter(({ required }) => typeof required !== 'boolean')).toEqual([]);
    expect([...outcomesOf(true)].sort()).toEqual(
      [
        'verified',
        'missing_header',
        'malformed_header',
        'no_matching_signature',
        'too_old',
        'too_new',
      ].sort(),
    );
    expect(verify.filter(({ required }) => required).length).toBeGreaterThan(50);
  });

  test('nothing with a right signature is required to be refused, except for its time', () => {
    const signed = verify.filter(
      ({ required, expected }) => required && !expected.ok && !expected.reason.startsWith('too_'),
    );
    for (const vector of signed) {
      const { t, v1 } = signatureOf(vector);
      const input = Buffer.concat([Buffer.from(`${t}.`), bytesOf(vector.body)]);
      const digests = vector.secrets.map((secret) =>
        createHmac('sha256', secret).update(input).digest('hex'),
      );
      const isLate = Math.abs(vector.now - Number(t)) > 300;
      expect([vector.name, digests.some((digest) => v1.includes(digest)) && !isLate]).toEqual([
        vector.name,
        false,
      ]);
    }
  });

  test('the verifier of the page passes them all', async () => {
    const [, code = ''] = /```js\n(.+?)```/s.exec(readFileSync('docs/webhooks.md', 'utf8')) ?? [];
    const module = `data:text/javascript,${encodeURIComponent(code)}`;
    const { isGenuine } = (await import(/* @vite-ignore */ module)) as { isGenuine: IsGenuine };
    const failed = verify.filter((vector) => {
      const { secrets, body, now, required, expected } = vector;
      if (!required) return false;
      const { header } = signatureOf(vector);
      return expected.ok !== secrets.some((secret) => isGenuine(bytesOf(body), header, secret, now));
    });
    expect(failed.map(({ name }) => name)).toEqual([]);
  });
});

describe('by node:crypto', () => {
  const isSigned = (vector: Vector) => {
    const { t, v1 } = signatureOf(vector);
    const input = Buffer.concat([Buffer.from(`${t}.`), bytesOf(vector.body)]);
    return vector.secrets.some((secret) =>
      v1.includes(createHmac('sha256', secret).update(input).digest('hex')),
    );
  };

  test.each(withOutcome(...SIGNED, 'too_old', 'too_new').filter(({ name }) => !name.includes('wrongly')))(
    '$name is signed',
    (vector) => {
      expect(isSigned(vector)).toBe(true);
    },
  );

  test.each(withOutcome('no_matching_signature'))('$name is not signed', (vector) => {
    expect(isSigned(vector)).toBe(false);
  });

  test.each(sign)('$name has the headers of signing', ({ secrets, timestamp, body, headers }) => {
    const digests = secrets.map((secret) =>
      createHmac('sha256', Buffer.from(secret)).update(`${timestamp}.${body.text}`).digest('hex'),
    );
    expect(headers).toEqual([
      ['X-Partner-Signature', `t=${timestamp},v1=${digests.join(',v1=')}`],
      ['X-Partner-Timestamp', String(timestamp)],
    ]);
  });
});

/** Stripe's library has one secret, no timestamp header, no future check and no blanks, and ignores a tolerance of 0. */
describe("by Stripe's library", () => {
  const construct = (
    { body, secrets, now, toleranceSeconds, ...vector }: Vector,
    secret = secrets[0] ?? '',
  ) =>
    Stripe.webhooks.constructEvent(
      bytesOf(body),
      signatureOf(vector).header.replaceAll(/[\t ]*,[\t ]*/g, ','),
      secret,
      toleranceSeconds,
      undefined,
      now * 1_000,
    );

  test.each(withOutcome('verified').filter(({ secrets }) => secrets.length === 1))(
    '$name is accepted',
    (vector) => {
      expect(vector.expected).toEqual({ ok: true, event: construct(vector) });
    },
  );

  test.each(
    withOutcome('no_matching_signature', 'too_old').filter(({ toleranceSeconds }) => toleranceSeconds > 0),
  )('$name is refused with each of the secrets', (vector) => {
    for (const secret of vector.secrets) expect(() => construct(vector, secret)).toThrow();
  });
});
