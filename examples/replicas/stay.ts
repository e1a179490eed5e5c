import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type IssuedKey, type OperatorCommands, StorageUnavailable } from '@partner-hiring/core';
import { coloured, print } from '../server/console-output.js';
import type { Deployment } from './deployment.js';
import { hireOne, newSubmission } from './flow.js';

const LOOK_EVERY_MS = 3_000;

/**
 * Prints commands to try, and hires each new candidate.
 *
 * @param interrupted - when this promise rejects, the function returns.
 */
export async function stayOpen(
  { balancer, operator }: Deployment,
  keys: readonly IssuedKey[],
  interrupted: Promise<never>,
): Promise<void> {
  print(`
${coloured('bold', 'Everything keeps running')}. Paste into another terminal
  API=${balancer.address}/api/v1/external; AUTH="Authorization: Bearer ${keys[0]?.secret}"
  curl -sw '\\n' "$API/applications?limit=2" -H "$AUTH"
  curl -sw '\\n' "$API/applications" -H "$AUTH" -H "Content-Type: application/json" \\
    -H "Idempotency-Key: ${randomUUID()}" -d '${newSubmission().body}'

The balancer alternates between the APIs. The platform hires within ${LOOK_EVERY_MS / 1_000} seconds; see which worker sends the news.

Stop with Ctrl-C.
`);
  let isLeaving = false;
  const leaving = interrupted.catch(() => {
    isLeaving = true;
  });
  while (!isLeaving) {
    await hireAll(operator).catch((error: unknown) => {
      // Retries after an outage.
      if (!(error instanceof StorageUnavailable)) throw error;
      print(`${coloured('cyan', 'platform')} ${error.message}`);
    });
    // An interrupt ends this pause early. The pause does not keep the process alive.
    await Promise.race([setTimeout(LOOK_EVERY_MS, undefined, { ref: false }), leaving]);
  }
}

async function hireAll(operator: OperatorCommands): Promise<void> {
  for (const { id, status } of (await operator.applications.list({ limit: 100 })).items) {
    if (status === 'received') await hireOne(operator, id);
  }
}
