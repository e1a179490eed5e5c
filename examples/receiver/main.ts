/**
 * The receiver alone, for an endpoint of yours: `WEBHOOK_SECRET=whsec_... npx tsx examples/receiver/main.ts`.
 * During a rotation name both secrets, with a comma between them.
 */
import { STOP_SIGNALS } from '../server/stop-signals.js';
import { describeDelivery } from './describe-delivery.js';
import { createReceiver, WEBHOOK_PATH } from './receiver.js';

const secrets = (process.env.WEBHOOK_SECRET ?? '').split(',').filter((secret) => secret !== '');
const port = Number(process.env.PORT ?? 3001);

if (secrets.length === 0) {
  console.error('Set WEBHOOK_SECRET to the signing secret of your endpoint (whsec_...).');
  process.exit(1);
}

const receiver = createReceiver({
  secrets: () => secrets,
  onDelivery: (delivery) => console.log(describeDelivery(delivery)),
});

try {
  const address = await receiver.listen({ host: process.env.HOST ?? '127.0.0.1', port });
  console.log(`Receiving webhooks at ${address}${WEBHOOK_PATH}`);
} catch (error) {
  console.error(`Cannot listen on port ${port}: ${String(error)}. Choose another with PORT.`);
  process.exit(1);
}

for (const signal of STOP_SIGNALS) process.once(signal, () => void receiver.close());
