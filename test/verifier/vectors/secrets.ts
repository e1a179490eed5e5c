import { createHmac } from 'node:crypto';
import { type Drafts, EVENT_TEXT, OTHER_SECRET, SECRET, usual } from './draft.js';

/** A secret with that many bytes in UTF-8. */
function secretOf(bytes: number): string {
  return 'whsec_'.padEnd(bytes, '0123456789');
}

const underTheSecret = (secret: string) =>
  ({ expected: 'verified', secrets: [secret], signedWith: [secret] }) as const;

export const SECRETS: Drafts = {
  'rotation: both sign, the receiver has the old secret': {
    expected: 'verified',
    signedWith: [OTHER_SECRET, SECRET],
  },
  'rotation: both sign, the receiver has the new secret': {
    expected: 'verified',
    signedWith: [SECRET, OTHER_SECRET],
  },
  'rotation: one signs, the receiver has both, the right one last': {
    expected: 'verified',
    secrets: [OTHER_SECRET, SECRET],
  },
  'rotation: both sign, the receiver has both in the other order': {
    expected: 'verified',
    signedWith: [SECRET, OTHER_SECRET],
    secrets: [OTHER_SECRET, SECRET],
  },
  'several v1 and several secrets, none of them in both': {
    expected: 'no_matching_signature',
    signedWith: ['whsec_a', 'whsec_b'],
    secrets: [SECRET, OTHER_SECRET],
  },
  'many v1, the last one right': {
    expected: 'verified',
    signedWith: ['whsec_a', 'whsec_b', 'whsec_c', 'whsec_d', SECRET],
  },
  'the secret of another endpoint': { expected: 'no_matching_signature', signedWith: [OTHER_SECRET] },
  'the secret without whsec_': {
    expected: 'no_matching_signature',
    secrets: [SECRET.slice('whsec_'.length)],
  },
  'the secret with a line break behind it': { expected: 'no_matching_signature', secrets: [`${SECRET}\n`] },
  'the secret decoded from base64, as other schemes do it': {
    expected: 'no_matching_signature',
    secrets: [Buffer.from(SECRET.slice('whsec_'.length), 'base64url').toString()],
  },
  'a secret of one character': underTheSecret('s'),
  'a secret of 64 bytes, a whole block of the hash': underTheSecret(secretOf(64)),
  'a secret of 65 bytes, which HMAC hashes first': underTheSecret(secretOf(65)),
  'a secret of 200 bytes': underTheSecret(secretOf(200)),
  'a secret outside ASCII': underTheSecret('whsec_schlüssel_🔑'),
  'a digest of the body without t': {
    expected: 'no_matching_signature',
    signature: (t) => [usual(t, [createHmac('sha256', SECRET).update(EVENT_TEXT).digest('hex')])],
  },
};
