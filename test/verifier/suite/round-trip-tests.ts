import { equal, type RuntimeTest } from './check.js';
import { createRandom, randomText } from './random.js';
import type { Subject } from './subject.js';

const T = 1_750_000_000;
const ROUNDS = 150;

/** Tests that only signed deliveries verify. */
export function roundTripTests({ verifier }: Subject): readonly RuntimeTest[] {
  const { signWebhook, verifyWebhook, SIGNATURE_HEADER, TIMESTAMP_HEADER } = verifier;

  /** Random events under random secrets, signed at random times. */
  async function eachDelivery(seed: number, check: (delivery: Delivery) => Promise<void>): Promise<void> {
    const random = createRandom(seed);
    for (let round = 0; round < ROUNDS; round += 1) {
      const data = { note: randomText(random, 300) };
      const body = JSON.stringify({ id: 'evt_1', type: 'test', createdAt: '', apiVersion: 'v1', data });
      // A comma would make several secrets of it.
      const secret = `whsec_${randomText(random, 120).replaceAll(',', ';')}`;
      const timestamp = Math.floor(random() * 2 * T);
      const headers = await signWebhook({ body, secret, timestamp });
      await check({ body, secret, timestamp, headers, random });
    }
  }

  return [
    {
      name: 'a signed delivery verifies for any text and secret',
      run: () =>
        eachDelivery(1, async ({ body, secret, timestamp, headers }) => {
          const result = await verifyWebhook({ body, headers, secret, now: timestamp * 1_000 });
          equal(result, { ok: true, event: JSON.parse(body) });
        }),
    },
    {
      name: 'a single bit that is changed, in the body or in a header, is refused',
      run: () =>
        eachDelivery(2, async ({ body, secret, timestamp, headers, random }) => {
          const parts = { body, ...headers };
          const names = ['body', SIGNATURE_HEADER, TIMESTAMP_HEADER] as const;
          const name = names[Math.floor(random() * names.length)] ?? 'body';
          const bytes = new TextEncoder().encode(parts[name]);
          const at = Math.floor(random() * bytes.length);
          // Flips the lowest bits, so that a header stays a valid header.
          bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * (name === 'body' ? 8 : 4)));
          const isBody = name === 'body';
          const changed = isBody ? headers : { ...headers, [name]: new TextDecoder().decode(bytes) };
          const given = { body: isBody ? bytes : body, headers: { ...changed }, secret };
          const { ok } = await verifyWebhook({ ...given, now: timestamp * 1_000 });
          equal(ok, false, `${name}, byte ${at}`);
        }),
    },
    {
      name: 'another secret is refused',
      run: () =>
        eachDelivery(3, async ({ body, secret, timestamp, headers }) => {
          const now = timestamp * 1_000;
          const result = await verifyWebhook({ body, headers, secret: `${secret}x`, now });
          equal(result.ok || result.reason, 'no_matching_signature');
        }),
    },
    {
      name: 'many deliveries at once do not disturb one another',
      run: async () => {
        const oks = await Promise.all(
          Array.from({ length: 200 }, async (_, index) => {
            const secret = `whsec_${index % 70}`;
            const note = 'x'.repeat(index * 10);
            const envelope = { id: 'evt_1', type: 'test', createdAt: '', apiVersion: 'v1', data: { note } };
            const body = JSON.stringify(envelope);
            const headers = await signWebhook({ body, secret });
            return (await verifyWebhook({ body, headers, secret })).ok;
          }),
        );
        equal(oks.filter((ok) => ok).length, 200);
      },
    },
    {
      name: 'without a time, the clock of the machine signs and verifies',
      run: async () => {
        const body = JSON.stringify({ id: 'evt_1', type: 't', createdAt: '', apiVersion: 'v1', data: {} });
        const secret = 'whsec_clock';
        const headers = await signWebhook({ body, secret });
        equal((await verifyWebhook({ body, headers, secret })).ok, true);
        const old = await signWebhook({ body, secret, timestamp: T });
        const result = await verifyWebhook({ body, headers: old, secret });
        equal(result.ok || result.reason, 'too_old');
      },
    },
  ];
}

interface Delivery {
  readonly body: string;
  readonly secret: string;
  readonly timestamp: number;
  readonly headers: Awaited<ReturnType<Subject['verifier']['signWebhook']>>;
  readonly random: () => number;
}
