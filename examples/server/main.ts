/**
 * A small hiring platform: the partner API and its worker on SQLite, and a partner's receiver.
 * `npm start`
 */
import { OperatorError, stopOnSignals } from '@partner-hiring/core';
import { createApiServer } from './api-server.js';
import { outliveReaders, print, printError } from './console-output.js';
import { listen } from './listen.js';
import { createLocalConsole } from './local-console.js';
import { type ExamplePartnerHiring, openPartnerHiring } from './open-partner-hiring.js';
import { keptPortalPath } from './portal-path.js';
import { giveToReceiver, startReceiverBeside } from './receiver-beside.js';
import { REFERENCE_PATH } from './reference.js';
import { type Seeded, seedIfEmpty } from './seed.js';
import { readSettings, type Settings } from './settings.js';
import { SetupError } from './setup-error.js';
import { stopLogger, stopWithParent } from './stop-with-parent.js';
import { type Addresses, firstWelcome, laterWelcome } from './welcome.js';

async function start(settings: Settings): Promise<void> {
  const partnerHiring = await openPartnerHiring(settings);
  const { host, port } = settings;
  const local = createLocalConsole(partnerHiring, host);
  const portalPath = keptPortalPath(settings);
  const api = await createApiServer(partnerHiring, local, settings.packagesFolder, portalPath);
  const address = await listen(api, { host, port, variable: 'PORT' });
  const receiver = settings.webhookUrl === null ? await startReceiverBeside(settings) : null;
  const stopper = stopOnSignals({
    partnerHiring,
    server: api,
    logger: stopLogger,
    // No load balancer sends requests to it.
    drainMs: 0,
    close: async () => {
      await receiver?.app.close();
      print('Stopped.');
    },
  });
  stopWithParent(stopper);

  const production = settings.webhookUrl ?? receiver?.url ?? '';
  const endpointUrls = { production, sandbox: settings.sandboxWebhookUrl ?? production };
  const seeded = await seedIfEmpty(partnerHiring, settings.databaseFile, endpointUrls);
  // The secrets are printed before anything else, because they are not shown again.
  const consoleUrl = local?.createLink(address) ?? null;
  const where = { address, consoleUrl, portalUrl: `${address}${portalPath}` };
  print(await welcome(partnerHiring, where, seeded, receiver?.url ?? null));
  if (seeded !== null) giveToReceiver(settings, signingSecrets(seeded));
  partnerHiring.worker.start();
}

async function welcome(
  { operator, handler }: ExamplePartnerHiring,
  { address, ...urls }: Pick<Addresses, 'consoleUrl' | 'portalUrl'> & { readonly address: string },
  seeded: Seeded | null,
  receiverUrl: string | null,
): Promise<string> {
  const where = {
    baseUrl: `${address}${handler.basePath}`,
    referenceUrl: `${address}${REFERENCE_PATH}`,
    ...urls,
  };
  if (seeded !== null) return firstWelcome(where, seeded);
  return laterWelcome(
    where,
    (await operator.keys.list()).items,
    (await operator.endpoints.list()).items,
    receiverUrl,
  );
}

function signingSecrets({ production, sandbox }: Seeded): readonly string[] {
  return [production, sandbox].flatMap(({ endpoint }) => endpoint?.signingSecret ?? []);
}

outliveReaders();
try {
  await start(readSettings(process.env));
} catch (error) {
  const isTold = error instanceof SetupError || error instanceof OperatorError;
  printError(isTold ? error.message : error);
  process.exit(1);
}
