import type { AttemptOutcome } from '../../domain/delivery.js';
import type { SealedSigningSecret, StoredEndpoint } from '../../domain/endpoint.js';
import { signingSecrets } from '../../domain/endpoint-secrets.js';
import {
  createSigner,
  SIGNATURE_HEADER,
  signatureHeaders,
  TIMESTAMP_HEADER,
  WEBHOOK_USER_AGENT,
} from '../../domain/signature.js';
import { SECOND_MS } from '../../domain/time.js';
import { NetworkUnavailable, OperatorError } from '../../errors.js';
import type { OperatorSettings } from '../../operator/scope.js';
import {
  type Answer,
  createSample,
  type ProbeRequest,
  type ProbeStage,
  UNUSUAL_TITLE,
} from '../../probes/index.js';

/** What a check of certify sends deliveries with: the service's own signatures and transport. */
export interface ProbeSender extends ProbeStage {
  /** The id of the last event that was sent. */
  lastEventId(): string;
}

/** @throws OperatorError `MISCONFIGURED` if the signing secrets cannot be decrypted. */
export async function createProbeSender(
  endpoint: StoredEndpoint,
  settings: OperatorSettings,
): Promise<ProbeSender> {
  const { storageClock, post } = settings;
  const secrets = await openSecrets(endpoint, settings);
  let lastEventId = '';

  async function send({ body, signature, timestamp }: ProbeRequest): Promise<Answer> {
    lastEventId = (JSON.parse(body) as { readonly id: string }).id;
    const startedAt = storageClock.now();
    const headers: Record<string, string> = {
      Accept: '*/*',
      'Content-Type': 'application/json',
      'User-Agent': WEBHOOK_USER_AGENT,
      [TIMESTAMP_HEADER]: timestamp,
    };
    if (signature !== null) headers[SIGNATURE_HEADER] = signature;
    const outcome = await post({ url: endpoint.url, headers, body });
    return toAnswer(outcome, Math.max(0, storageClock.now() - startedAt));
  }

  return {
    secrets,
    oldSecrets: [],
    async sign(body, { secrets: signers = secrets, ageSeconds = 0 } = {}) {
      const signedAt = storageClock.now() - ageSeconds * SECOND_MS;
      const headers = signatureHeaders(signers.map(createSigner), signedAt, body);
      return { body, signature: headers[SIGNATURE_HEADER], timestamp: headers[TIMESTAMP_HEADER] };
    },
    send,
    sendSlowly: send,
    sample: () => createSample('job.opened', { title: UNUSUAL_TITLE }),
    lastEventId: () => lastEventId,
  };
}

async function openSecrets(
  endpoint: StoredEndpoint,
  { secretBox, storageClock }: OperatorSettings,
): Promise<readonly string[]> {
  const { keyId } = endpoint;
  const valid = signingSecrets(endpoint, storageClock.now());
  const open = async ({ sealed }: SealedSigningSecret) =>
    secretBox.open(sealed, { purpose: 'webhook_signing_secret', keyId });
  try {
    return await Promise.all(valid.map(open));
  } catch (cause) {
    if (cause instanceof NetworkUnavailable) throw cause;
    throw new OperatorError(
      'MISCONFIGURED',
      'The signing secret cannot be decrypted. Give this process the key that sealed it. Nothing was sent.',
      { cause },
    );
  }
}

/** The kinds of failures that certify knows. It keeps nothing else of an answer. */
function toAnswer(outcome: AttemptOutcome, tookMs: number): Answer {
  if (outcome.kind === 'answered') return { kind: 'answered', status: outcome.status, excerpt: '', tookMs };
  if (outcome.failure === 'timed_out') return { kind: 'timed_out', tookMs };
  return { kind: 'failed', code: outcome.failure, tookMs };
}
