import { rmSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { describeDelivery } from '../receiver/describe-delivery.js';
import { createReceiver, WEBHOOK_PATH } from '../receiver/receiver.js';
import { printLine } from './console-output.js';
import { listen } from './listen.js';
import { createPrivateFile, readFileIfThere } from './private-file.js';
import type { Settings } from './settings.js';
import { SetupError } from './setup-error.js';

/** A running receiver and its URL. */
export interface ReceiverBeside {
  readonly app: FastifyInstance;
  readonly url: string;
}

/**
 * Starts a partner's receiver. It reads its signing secrets from a file at each delivery. After a rotation,
 * add the new secret to the file, on its own line.
 */
export async function startReceiverBeside(settings: Settings): Promise<ReceiverBeside> {
  const app = createReceiver({
    secrets: () => readSecrets(settings.receiverSecretsFile),
    onDelivery: (delivery) => printLine('receiver', describeDelivery(delivery)),
  });
  app.addHook('onError', async (_request, _reply, error) => {
    printLine('receiver', `failed: ${error.message}`);
  });
  const { host, receiverPort: port } = settings;
  const address = await listen(app, { host, port, variable: 'RECEIVER_PORT' });
  return { app, url: `${address}${WEBHOOK_PATH}` };
}

/**
 * Writes the signing secrets to the receiver's file. Replaces the secrets of an older database.
 *
 * @throws SetupError if the file cannot be written.
 */
export function giveToReceiver(settings: Settings, signingSecrets: readonly string[]): void {
  const { receiverSecretsFile: file } = settings;
  try {
    rmSync(file, { force: true });
    createPrivateFile(file, `${signingSecrets.join('\n')}\n`);
  } catch (error) {
    throw new SetupError(
      `The receiver's secrets cannot be written: ${String(error)}. Write them to ${file}, one per line, and start again.`,
      { cause: error },
    );
  }
}

/** @throws SetupError if the file is missing or empty, perhaps because the first start was interrupted. */
function readSecrets(file: string): readonly string[] {
  const secrets = (readFileIfThere(file) ?? '').split('\n').filter((line) => line !== '');
  if (secrets.length > 0) return secrets;
  throw new SetupError(
    `${file} holds no signing secret. Make one: npm run operator -- endpoints rotate-secret <key>. Write it to that file, on its own line.`,
  );
}
