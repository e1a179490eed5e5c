import { createPartnerHiring, type Storage } from '@partner-hiring/core';
import { partnerHiringExpress } from '@partner-hiring/express';
import express from 'express';
import { listenOnce } from './listen-once.js';

/** Serves the partner API on Express, with its worker, as a host starts it. */
export function startApi<HostTx>(storage: Storage<HostTx>): void {
  const partnerHiring = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
  const app = express();
  app.use(partnerHiringExpress(partnerHiring));
  partnerHiring.worker.start();
  listenOnce(app);
}
