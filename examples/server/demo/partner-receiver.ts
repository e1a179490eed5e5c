import { EventEmitter, once } from 'node:events';
import Stripe from 'stripe';
import {
  createReceiver,
  type RawDelivery,
  type ReceivedDelivery,
  WEBHOOK_PATH,
} from '../../receiver/receiver.js';
import { DemoFailure, within } from './demo-failure.js';

/** The partner's server: receives webhooks and serves the candidate's résumé. */
export interface PartnerReceiver {
  readonly webhookUrl: string;
  readonly resumeUrl: string;
  /**
   * Sets the signing secrets of the partner's two keys. Deliveries that arrive earlier wait for this call.
   */
  setSecrets(secrets: readonly string[]): void;
  /** Resolves with the first matching event, which may have arrived before the call. */
  waitForEvent(matches: (event: VerifiedEvent) => boolean, what: string): Promise<VerifiedEvent>;
  /** All verified events so far. */
  events(): readonly VerifiedEvent[];
  close(): Promise<void>;
}

/** An event that both verifiers accepted. */
export type VerifiedEvent = Extract<ReceivedDelivery, { readonly kind: 'new' | 'repeated' }>['event'];

const EVENT_MS = 15_000;
/** The smallest valid PDF. */
const RESUME = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';

/** Starts the server on a free port. */
export async function startPartnerReceiver(): Promise<PartnerReceiver> {
  const arrivals = new EventEmitter();
  const events: VerifiedEvent[] = [];
  const problems: string[] = [];
  let setSecrets: PartnerReceiver['setSecrets'] = () => {};
  const secrets = new Promise<readonly string[]>((resolve) => {
    setSecrets = resolve;
  });
  const app = createReceiver({
    secrets: () => secrets,
    onDelivery: async (delivery) => {
      if (delivery.kind === 'refused') problems.push(`The verifier rejected a webhook: ${delivery.reason}`);
      else if (isAcceptedByStripe(delivery.raw, await secrets)) events.push(delivery.event);
      else problems.push(`stripe's verifier refused ${delivery.event.id}`);
      arrivals.emit('arrival');
    },
  });
  app.get('/resume.pdf', (_request, reply) => reply.type('application/pdf').send(RESUME));
  const address = await app.listen({ host: '127.0.0.1', port: 0 });

  async function find(matches: (event: VerifiedEvent) => boolean): Promise<VerifiedEvent> {
    for (;;) {
      const found = events.find(matches);
      if (found !== undefined) return found;
      if (problems.length > 0) throw new DemoFailure(problems.join('; '));
      await once(arrivals, 'arrival');
    }
  }
  return {
    webhookUrl: `${address}${WEBHOOK_PATH}`,
    resumeUrl: `${address}/resume.pdf`,
    setSecrets,
    waitForEvent: (matches, what) => within(EVENT_MS, what, find(matches)),
    events: () => events,
    close: async () => app.close(),
  };
}

/** Returns whether Stripe's library accepts the signature. Our webhooks use Stripe's signature scheme. */
function isAcceptedByStripe({ body, signature }: RawDelivery, secrets: readonly string[]): boolean {
  return secrets.some((secret) => {
    try {
      Stripe.webhooks.constructEvent(body, signature, secret);
      return true;
    } catch {
      return false;
    }
  });
}
