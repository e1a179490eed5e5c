import { createHmac } from 'node:crypto';
import {
  type Answer,
  bodyOf,
  type Check,
  foreignSecret,
  type ProbeRequest,
  type ProbeStage,
  sending,
  WRONG_SECRET_CHECK,
} from '@partner-hiring/core/probes';

/** Builds a check that sends a delivery changed after signing, which the receiver must reject. */
function changed(
  name: string,
  sent: string,
  finding: Check['finding'],
  change: (delivery: ProbeRequest) => Partial<ProbeRequest>,
): Check {
  return {
    name,
    sent,
    expects: 'refused',
    finding,
    run: sending(async (stage) => {
      const delivery = await stage.sign(bodyOf(stage.sample()));
      return { ...delivery, ...change(delivery) };
    }),
  };
}

/** Returns the signature header with `rewrite` applied to the digest of each `v1` entry. */
function digests({ signature }: ProbeRequest, rewrite: (digest: string) => string): Partial<ProbeRequest> {
  return {
    signature: (signature ?? '').replaceAll(/v1=([0-9a-f]+)/g, (_, digest) => `v1=${rewrite(digest)}`),
  };
}

export function withTimestamp({ signature }: ProbeRequest, timestamp: string): string {
  return (signature ?? '').replace(/^t=\d+/, `t=${timestamp}`);
}

function otherDigit(digit: string): string {
  return digit === '0' ? '1' : '0';
}

/** Checks that the receiver rejects deliveries that the service did not sign. */
export const SIGNATURE_CHECKS: readonly Check[] = [
  changed('tampered_body', 'a body changed after it was signed', 'accepts_tampered_body', ({ body }) => ({
    body: body.replace('"evt_0', '"evt_1'),
  })),
  WRONG_SECRET_CHECK,
  {
    ...changed('tampered_white_space', 'a body with an added space', 'verifies_other_bytes', ({ body }) => ({
      body: body.replace('"data":{', '"data": {'),
    })),
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
  changed('short_signature', 'half a signature', 'accepts_tampered_signature', (delivery) =>
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
  changed('junk_signature', 'a malformed X-Partner-Signature', 'accepts_malformed_header', () => ({
    signature: 'certify',
  })),
];

/** Checks that the receiver accepts two `v1` entries, as they occur during a rotation of the secret. */
export const SEVERAL_V1_CHECKS: readonly Check[] = [
  {
    name: 'other_v1_first',
    sent: 'two v1, the first by another secret',
    expects: 'taken',
    finding: 'compares_one_v1',
    run: sending(({ sign, sample, secrets }) =>
      sign(bodyOf(sample()), { secrets: [foreignSecret(), ...secrets] }),
    ),
  },
  {
    name: 'other_v1_last',
    sent: 'two v1, the last by another secret',
    expects: 'taken',
    finding: 'compares_one_v1',
    run: sending(({ sign, sample, secrets }) =>
      sign(bodyOf(sample()), { secrets: [...secrets, foreignSecret()] }),
    ),
  },
];

/** Runs only if the options have several valid secrets. */
export const OVERLAP_CHECK: Check = {
  name: 'each_secret',
  sent: 'a delivery signed by each valid secret',
  expects: 'taken',
  finding: 'ignores_a_secret',
  run: (stage) => signedByEach(stage, stage.secrets),
};

/** Runs only if the options have an old secret. */
export const OLD_SECRET_CHECK: Check = {
  name: 'old_secret',
  sent: 'a delivery signed by an old secret',
  expects: 'refused',
  finding: 'accepts_old_secret',
  run: (stage) => signedByEach(stage, stage.oldSecrets),
};

async function signedByEach(stage: ProbeStage, secrets: readonly string[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const secret of secrets) {
    answers.push(await stage.send(await stage.sign(bodyOf(stage.sample()), { secrets: [secret] })));
  }
  return answers;
}

const PREFIX = 'whsec_';

/** Checks for common mistakes in the use of the secret. They run only if the receiver accepts no event. */
export const MISREADING_CHECKS: readonly Check[] = [
  misread('secret_without_prefix', 'the secret without whsec_', 'strips_secret_prefix', withoutPrefix),
  misread('secret_decoded', 'the secret decoded from base64', 'decodes_secret', (secret) =>
    Buffer.from(withoutPrefix(secret), 'base64url'),
  ),
  misread(
    'secret_with_line_break',
    'the secret with a line break at its end',
    'pads_secret',
    (secret) => `${secret}\n`,
  ),
  misread('secret_with_space', 'the secret with a space at its end', 'pads_secret', (secret) => `${secret} `),
  misread('secret_in_quotes', 'the secret in double quotes', 'pads_secret', (secret) => `"${secret}"`),
];

function withoutPrefix(secret: string): string {
  return secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
}

/** Builds a check that signs with a misread secret. Signs here, because `signWebhook` takes no key as bytes. */
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
    // If the receiver accepts any secret, this check cannot tell which secret it uses.
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
