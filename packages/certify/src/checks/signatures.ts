import { randomBytes } from 'node:crypto';
import { bodyOf } from '../samples.js';
import type { Delivery } from '../sender.js';
import { type Check, type Stage, sending } from './check.js';

/** A secret that nobody has. */
export function foreignSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}

/** A check that a good delivery is refused once it was changed so. */
function changed(
  name: string,
  sent: string,
  finding: Check['finding'],
  change: (delivery: Delivery) => Partial<Delivery>,
): Check {
  return {
    name,
    sent,
    expects: 'refused',
    finding,
    run: sending(async (stage) => {
      const delivery = await signedSample(stage);
      return { ...delivery, ...change(delivery) };
    }),
  };
}

function signedSample({ sign, sample }: Stage): Promise<Delivery> {
  return sign(bodyOf(sample()));
}

/** Rewrites every `v1` of a signature header. */
function digests({ signature }: Delivery, rewrite: (digest: string) => string): Partial<Delivery> {
  return {
    signature: (signature ?? '').replaceAll(/v1=([0-9a-f]+)/g, (_, digest) => `v1=${rewrite(digest)}`),
  };
}

/** The signature header with another `t`, and the digests that it had. */
export function withTimestamp({ signature }: Delivery, timestamp: string): string {
  return (signature ?? '').replace(/^t=\d+/, `t=${timestamp}`);
}

function otherDigit(digit: string): string {
  return digit === '0' ? '1' : '0';
}

/** The plainest forgery. */
export const WRONG_SECRET_CHECK: Check = {
  name: 'wrong_secret',
  sent: 'a signature by a secret that nobody has',
  expects: 'refused',
  finding: 'accepts_wrong_secret',
  run: sending(({ sign, sample }) => sign(bodyOf(sample()), { secrets: [foreignSecret()] })),
};

/** What the service never signed. */
export const SIGNATURE_CHECKS: readonly Check[] = [
  changed('tampered_body', 'a body changed after it was signed', 'accepts_tampered_body', ({ body }) => ({
    body: body.replace('"evt_0', '"evt_1'),
  })),
  WRONG_SECRET_CHECK,
  {
    ...changed(
      'tampered_white_space',
      'a body with a space that was not signed',
      'verifies_other_bytes',
      ({ body }) => ({
        body: body.replace('"data":{', '"data": {'),
      }),
    ),
    after: ['tampered_body'],
  },
  changed(
    'first_digit',
    'a signature with its first digit changed',
    'accepts_tampered_signature',
    (delivery) => digests(delivery, (digest) => `${otherDigit(digest.charAt(0))}${digest.slice(1)}`),
  ),
  changed('last_digit', 'a signature with its last digit changed', 'accepts_tampered_signature', (delivery) =>
    digests(delivery, (digest) => `${digest.slice(0, -1)}${otherDigit(digest.charAt(63))}`),
  ),
  changed('short_signature', 'a signature cut to half', 'accepts_tampered_signature', (delivery) =>
    digests(delivery, (digest) => digest.slice(0, 32)),
  ),
  changed('empty_signature', 'an empty signature', 'accepts_tampered_signature', (delivery) =>
    digests(delivery, () => ''),
  ),
  changed(
    'tampered_timestamp',
    'a t changed after it was signed',
    'accepts_tampered_timestamp',
    (delivery) => {
      const timestamp = String(Number(delivery.timestamp) - 1);
      return { timestamp, signature: withTimestamp(delivery, timestamp) };
    },
  ),
  changed('no_signature', 'no X-Partner-Signature', 'accepts_unsigned', () => ({ signature: null })),
  changed('no_v1', 'an X-Partner-Signature without v1', 'accepts_malformed_header', ({ timestamp }) => ({
    signature: `t=${timestamp}`,
  })),
  changed('no_t', 'an X-Partner-Signature without t', 'accepts_malformed_header', ({ signature }) => ({
    signature: (signature ?? '').replace(/^t=\d+,/, ''),
  })),
  changed('junk_signature', 'an X-Partner-Signature of another form', 'accepts_malformed_header', () => ({
    signature: 'certify',
  })),
];
