import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type IssuedKey, type OperatorCommands, StorageUnavailable } from '@partner-hiring/core';
import { coloured } from '../server/console-output.js';
import type { Deployment } from './deployment.js';
import { hireOne, newSubmission } from './flow.js';

const LOOK_EVERY_MS = 3_000;

/**
 * Says what can be tried, and hires whoever is submitted.
 *
 * @param interrupted - ends it: it asks the operator nothing after that.
 */
export async function stayOpen(
  { balancer, operator }: Deployment,
  keys: readonly IssuedKey[],
  interrupted: Promise<never>,
): Promise<void> {
  console.log(`
${coloured('bold', 'Everything keeps running')}, and what each process does is shown. Paste into another terminal
  API=${balancer.address}/api/v1/external; AUTH="Authorization: Bearer ${keys[0]?.secret}"
  curl -sw '\\n' "$API/applications?limit=2" -H "$AUTH"
  curl -sw '\\n' "$API/applications" -H "$AUTH" -H "Content-Type: application/json" \\
    -H "Idempotency-Key: ${randomUUID()}" -d '${newSubmission().body}'

The requests go to each API in turn. The platform hires within ${LOOK_EVERY_MS / 1_000} seconds; see which worker sends the news.

Stop with Ctrl-C.
`);
  let isLeaving = false;
  const leaving = interrupted.catch(() => {
    isLeaving = true;
  });
  while (!isLeaving) {
    await hireAll(operator).catch((error: unknown) => {
      // The database comes back, and so do we.
      if (!(error instanceof StorageUnavailable)) throw error;
      console.log(`${coloured('cyan', 'platform')} ${error.message}`);
    });
    // Who leaves waits for no pause, and the process for none either.
    await Promise.race([setTimeout(LOOK_EVERY_MS, undefined, { ref: false }), leaving]);
  }
}

async function hireAll(operator: OperatorCommands): Promise<void> {
  for (const { id, status } of await operator.applications.list({ limit: 100 })) {
    if (status === 'received') await hireOne(operator, id);
  }
}
