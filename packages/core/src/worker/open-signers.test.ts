import { expect, it } from 'vitest';
import { type Endpoint, FRESH_HEALTH } from '../domain/endpoint.js';
import { createSigner } from '../domain/signature.js';
import { OperatorError } from '../errors.js';
import type { SecretBox } from '../ports/secret-box.js';
import { openSigners, SecretsUnreadable } from './open-signers.js';

/** A box that opens, or fails, as it is told; and what it was asked for. */
function boxOf(open: (sealed: string) => string) {
  const asked: unknown[] = [];
  const secretBox: SecretBox = {
    seal: (secret) => secret,
    open: (sealed, use) => {
      asked.push([sealed, use]);
      return open(sealed);
    },
  };
  return { secretBox, asked };
}

const endpointOf = (...sealed: readonly string[]): Endpoint => ({
  keyId: 'key_1',
  url: 'https://partner.example/hooks',
  state: { kind: 'active' },
  health: FRESH_HEALTH,
  secrets: sealed.map((each) => ({ sealed: each, expiresAt: null })),
  createdAt: 0,
});

function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

it('a secret is opened once for the endpoint that carries it, for its own key, and again by another box', () => {
  const endpoint = endpointOf('sealed');
  const [one, other] = [boxOf(() => 'one'), boxOf(() => 'other')];
  const signatures = [one, one, other, other].map(({ secretBox }) =>
    openSigners(secretBox, endpoint, 0).map((sign) => sign(7, 'body')),
  );
  const [byOne, byOther] = ['one', 'other'].map((secret) => [createSigner(secret)(7, 'body')]);
  expect(signatures).toEqual([byOne, byOne, byOther, byOther]);
  const use = { purpose: 'webhook_signing_secret', keyId: 'key_1' };
  expect([one.asked, other.asked]).toEqual([[['sealed', use]], [['sealed', use]]]);
});

it.each([
  [
    'the host’s fault says itself how it is put right',
    new OperatorError('MISCONFIGURED', 'The box must answer with a text.'),
    /^The box must answer with a text\.$/,
  ],
  [
    'any other failure says which key to give',
    new Error('bad decrypt'),
    /the key that the secrets were sealed with/,
  ],
])('where secrets cannot be opened, %s', (_, cause, message) => {
  const { secretBox } = boxOf(() => {
    throw cause;
  });
  const error = thrownBy(() => openSigners(secretBox, endpointOf('sealed'), 0));
  expect(error).toBeInstanceOf(SecretsUnreadable);
  expect(error).toMatchObject({ message: expect.stringMatching(message), cause });
});
