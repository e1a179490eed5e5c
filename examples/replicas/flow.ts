import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ApplicationId, OperatorCommands } from '@partner-hiring/core';
import { expectEqual } from '../server/demo/demo-failure.js';
import type { PartnerClient, SentSubmission } from '../server/demo/partner-client.js';
import { JOB_ID } from './let-partners-in.js';

/** The maximum number of submissions. It keeps each partner below its rate limit. */
const MOST = 70;
const PAUSE_MS = 200;

/** A continuous flow of submissions and hires. */
export interface Flow {
  /** Stops the flow. Returns the application ids of all its submissions. */
  end(): Promise<readonly ApplicationId[]>;
}

/**
 * Submits and hires candidates of alternating partners until the flow is stopped. A rejected submission fails
 * the flow.
 */
export function startFlow(partners: readonly PartnerClient[], operator: OperatorCommands): Flow {
  const ids: ApplicationId[] = [];
  let isEnding = false;
  async function run(): Promise<void> {
    while (!isEnding) {
      const partner = partners[ids.length % partners.length];
      if (partner !== undefined && ids.length < MOST) {
        const id = await submitOne(partner);
        ids.push(id);
        await hireOne(operator, id);
      }
      await setTimeout(PAUSE_MS);
    }
  }
  const running = run();
  // `end` reports a failure of the flow. Until then, the rejection must not count as unhandled.
  running.catch(() => {});
  return {
    end: async () => {
      isEnding = true;
      await running;
      return ids;
    },
  };
}

/** Submits a candidate. @throws DemoFailure unless it is accepted. */
export async function submitOne(partner: PartnerClient): Promise<ApplicationId> {
  const reply = await partner.submit(newSubmission());
  expectEqual(reply.status, 201, `POST /applications (${reply.text})`);
  return reply.json.id as ApplicationId;
}

/** Hires a candidate. */
export async function hireOne({ applications }: OperatorCommands, id: ApplicationId): Promise<void> {
  await applications.beginEvaluation({ id });
  await applications.decide({ id, decision: 'accepted' });
}

/** Returns a new candidate. */
export function newSubmission(): SentSubmission {
  const idempotencyKey = randomUUID();
  const body = JSON.stringify({
    jobId: JOB_ID,
    candidate: {
      firstName: 'Ada',
      lastName: 'Reyes',
      email: `ada.${idempotencyKey}@example.com`,
      phone: '+1 775 555 0123',
    },
    consentToContact: true,
  });
  return { idempotencyKey, body };
}
