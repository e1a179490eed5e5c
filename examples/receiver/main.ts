/**
 * Runs only the receiver, for your own endpoint:
 * `WEBHOOK_SECRET=whsec_... npx tsx examples/receiver/main.ts`
 * During a rotation, pass both secrets separated by a comma.
 */

import { print, printError } from '../server/console-output.js';
import { readHost, readPort } from '../server/settings.js';
import { SetupError } from '../server/setup-error.js';
import { describeDelivery } from './describe-delivery.js';
import { createReceiver, WEBHOOK_PATH } from './receiver.js';

const { env } = process;

async function start(): Promise<void> {
  const secrets = (env.WEBHOOK_SECRET ?? '').split(',').filter((secret) => secret.trim() !== '');
  if (secrets.length === 0) {
    throw new SetupError('Set WEBHOOK_SECRET to the signing secret of your endpoint (whsec_...).');
  }
  const receiver = createReceiver({
    secrets: () => secrets,
    onDelivery: (delivery) => print(describeDelivery(delivery)),
  });
  const port = readPort(env, 'PORT', 3001);
  const host = readHost(env);
  const address = await receiver.listen({ host, port }).catch((cause: unknown) => {
    const message = `Cannot listen on ${host}:${port}: ${String(cause)}. Choose another with HOST and PORT.`;
    throw new SetupError(message, { cause });
  });
  print(`Receiving webhooks at ${address}${WEBHOOK_PATH}`);
  // A second signal ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => receiver.close());
}

try {
  await start();
} catch (error) {
  printError(error instanceof SetupError ? error.message : error);
  process.exit(1);
}
