import { createHmac } from 'node:crypto';
import { bodyOf } from '../samples.js';
import { type Check, sending } from './check.js';

const PREFIX = 'whsec_';

/** Ways of misreading a secret. They are tried where a receiver takes nothing: then one of them may be why. */
export const MISREADING_CHECKS: readonly Check[] = [
  misread('secret_without_prefix', 'the secret without whsec_', 'strips_secret_prefix', withoutPrefix),
  misread('secret_decoded', 'the secret decoded from base64', 'decodes_secret', (secret) =>
    Buffer.from(withoutPrefix(secret), 'base64url'),
  ),
  misread(
    'secret_with_line_break',
    'the secret with a line break behind it',
    'pads_secret',
    (secret) => `${secret}\n`,
  ),
  misread('secret_with_space', 'the secret with a space behind it', 'pads_secret', (secret) => `${secret} `),
  misread('secret_in_quotes', 'the secret in double quotes', 'pads_secret', (secret) => `"${secret}"`),
];

function withoutPrefix(secret: string): string {
  return secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
}

/** The key is bytes that no secret can be, so it is signed here and not by the verifier's `signWebhook`. */
function misread(
  name: string,
  signer: string,
  finding: Check['finding'],
  read: (secret: string) => string | Buffer,
): Check {
  return {
    name,
    sent: `a signature by ${signer}`,
    expects: 'refused',
    finding,
    // What takes any secret shows nothing of how it reads its own.
    after: ['wrong_secret'],
    run: sending(async ({ sign, sample, secrets }) => {
      const delivery = await sign(bodyOf(sample()));
      const signatures = secrets.map((secret) => {
        const hmac = createHmac('sha256', read(secret)).update(`${delivery.timestamp}.${delivery.body}`);
        return `v1=${hmac.digest('hex')}`;
      });
      return { ...delivery, signature: [`t=${delivery.timestamp}`, ...signatures].join(',') };
    }),
  };
}
