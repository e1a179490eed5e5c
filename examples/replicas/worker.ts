/** A worker process: sends webhooks and serves nothing. */
import { createSafeTransport, type WebhookTransport } from '@partner-hiring/core';
import { print } from '../server/console-output.js';
import { announce, fromEnvironment, openReplica } from './open-replica.js';

const safe = createSafeTransport({ allowPrivateNetworks: true, allowPlainHttp: true });

/** The default transport with logging. */
const talking: WebhookTransport = {
  post: async (request) => {
    const outcome = await safe.post(request);
    const { id, type } = JSON.parse(request.body) as { readonly id: string; readonly type: string };
    print(`sent ${type} ${id}: ${outcome.kind}`);
    return outcome;
  },
  close: () => safe.close(),
};

const partnerHiring = await openReplica(fromEnvironment(), { transport: talking });
partnerHiring.worker.start();
announce(partnerHiring, undefined, null);
