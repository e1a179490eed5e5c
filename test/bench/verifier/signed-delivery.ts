import { createHmac, randomBytes } from 'node:crypto';

/** One body, signed now in the way of each verifier that is measured. */
export interface SignedDelivery {
  readonly text: string;
  readonly timestamp: string;
  readonly secret: string;
  /** As a Node server shows them, in lower case and among others. */
  readonly headers: Readonly<Record<string, string>>;
  /** The value of `Stripe-Signature`, which is that of `X-Partner-Signature`. */
  readonly stripeSignature: string;
  /** The same secret in the form of Standard Webhooks, where it is decoded first. */
  readonly standardSecret: string;
  /** The headers of Standard Webhooks, under the names that Svix takes as well. */
  readonly standardHeaders: Record<string, string>;
}

/** An event of that many bytes, and its signatures. */
export function createDelivery(bytes: number): SignedDelivery {
  const text = eventOf(bytes);
  const secret = `whsec_${randomBytes(32).toString('base64url')}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const sign = (input: string, encoding: 'hex' | 'base64') =>
    createHmac('sha256', secret).update(input).digest(encoding);
  const signature = `t=${timestamp},v1=${sign(`${timestamp}.${text}`, 'hex')}`;
  return {
    text,
    timestamp,
    secret,
    headers: {
      host: 'ats.example',
      'content-type': 'application/json',
      'content-length': String(bytes),
      'user-agent': 'partner-hiring',
      accept: '*/*',
      connection: 'keep-alive',
      'x-partner-signature': signature,
      'x-partner-timestamp': timestamp,
    },
    stripeSignature: signature,
    standardSecret: Buffer.from(secret).toString('base64'),
    standardHeaders: {
      'webhook-id': 'evt_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${sign(`evt_1.${timestamp}.${text}`, 'base64')}`,
    },
  };
}

/** A hire, its stage label made long enough. */
function eventOf(bytes: number): string {
  const at = '2026-11-21T10:15:30.123Z';
  const event = (currentStage: string) =>
    JSON.stringify({
      apiVersion: 'v1',
      createdAt: at,
      data: {
        applicationId: 'ej_app_01m7q4x9s2k3v5w8y0z1a2b3c4',
        currentStage,
        jobId: 'job_01m7q4x9s2k3v5w8y0z1a2b3c4',
        newStatus: 'accepted',
        occurredAt: at,
        oldStatus: 'in_progress',
        sourceApplicationId: 'ats-4711',
      },
      id: 'evt_01m7q4x9s2k3v5w8y0z1a2b3c4',
      type: 'application.status_changed',
    });
  return event('Hired'.padEnd(bytes - event('').length));
}
