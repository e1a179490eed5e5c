import { createHmac, createSecretKey } from 'node:crypto';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { type Comparison, compare, inTurn, printHead, type RunSize } from '../compare.js';
import { createDelivery, type SignedDelivery } from '../verifier/signed-delivery.js';

/** An event such as a hire has 400 bytes; the others show where hash and parser begin to count for all. */
const SIZES = [400, 4_096, 65_536] as const;

/** As servers hand over a body, and as some frameworks do. */
const FORMS = {
  bytes: ({ text }: SignedDelivery) => Buffer.from(text),
  text: ({ text }: SignedDelivery) => text,
} as const;

/** What a verifier is called for, over and over. It throws if it refuses: a figure must never be one of refusals. */
type Verify = () => unknown;

/** A library that checks such deliveries, each under its own header names. */
interface Baseline {
  readonly name: string;
  /** What ours must reach against it at the smallest size; null where no goal is set. */
  readonly goal: Comparison['goal'];
  readonly atAllSizes: boolean;
  create(delivery: SignedDelivery, body: string | Buffer): Verify;
}

const BASELINES: readonly Baseline[] = [
  {
    name: "stripe's constructEvent",
    goal: { atLeast: 1.5 },
    atAllSizes: true,
    create: (delivery, body) => () =>
      Stripe.webhooks.constructEvent(body, delivery.stripeSignature, delivery.secret),
  },
  {
    name: 'standardwebhooks',
    goal: { atLeast: 2.5 },
    atAllSizes: false,
    create: (delivery, body) => {
      const webhook = new StandardWebhook(delivery.standardSecret);
      return () => webhook.verify(body, delivery.standardHeaders);
    },
  },
  {
    name: 'svix',
    goal: { atLeast: 2.5 },
    atAllSizes: false,
    create: (delivery, body) => {
      const webhook = new SvixWebhook(delivery.standardSecret);
      return () => webhook.verify(body, delivery.standardHeaders);
    },
  },
  {
    name: 'the floor: one HMAC-SHA256 and JSON.parse',
    goal: null,
    atAllSizes: true,
    create: (delivery, body) => {
      const key = createSecretKey(Buffer.from(delivery.secret));
      return () => {
        createHmac('sha256', key).update(`${delivery.timestamp}.`).update(body).digest('hex');
        return JSON.parse(delivery.text);
      };
    },
  },
];

/** Deliveries verified per second of the processor, against the verifiers of others and against what none can go below. */
export async function benchVerifier(size: RunSize, only: string): Promise<void> {
  printHead('Verifying a webhook');
  for (const bytes of SIZES) {
    for (const [form, take] of Object.entries(FORMS)) {
      for (const baseline of BASELINES) {
        if (bytes !== SIZES[0] && !baseline.atAllSizes) continue;
        const delivery = createDelivery(bytes);
        const name = `${bytes} bytes, as ${form}, against ${baseline.name}`;
        if (name.includes(only)) await compareWith(baseline, name, delivery, take(delivery), size);
      }
    }
  }
}

async function compareWith(
  { create, goal }: Baseline,
  name: string,
  delivery: SignedDelivery,
  body: string | Buffer,
  size: RunSize,
): Promise<void> {
  const { headers, secret, text } = delivery;
  const durationMs = Math.min(size.durationMs, MAX_DURATION_MS);
  const theirs = create(delivery, body);
  await compare(
    {
      name,
      unit: 'per processor second',
      goal: text.length === SIZES[0] ? goal : null,
      measure: inTurn(
        () =>
          perSecond(durationMs, async (times) => {
            for (let time = 0; time < times; time += 1) {
              const result = await verifyWebhook({ body, headers, secret });
              if (!result.ok) throw new Error(result.hint);
            }
          }),
        () =>
          perSecond(durationMs, async (times) => {
            for (let time = 0; time < times; time += 1) theirs();
          }),
      ),
    },
    size,
  );
}

/** Enough for some ten thousand calls, so that a full run takes two minutes. */
const MAX_DURATION_MS = 500;
/** Calls between two looks at the clock. */
const BATCH = 100;

/**
 * How many of something are done in a second of the processor. All of it is computing in one process, so what
 * else the machine does meanwhile does not count.
 */
async function perSecond(durationMs: number, doTimes: (times: number) => Promise<void>): Promise<number> {
  const endsAt = performance.now() + durationMs;
  const before = process.cpuUsage();
  let done = 0;
  while (performance.now() < endsAt) {
    await doTimes(BATCH);
    done += BATCH;
  }
  const { user, system } = process.cpuUsage(before);
  return done / ((user + system) / 1_000_000);
}
