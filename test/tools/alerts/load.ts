import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ApplicationId } from '@partner-hiring/core';
import { submission } from '@partner-hiring/test-support/partner';
import { createPartnerClient } from '../../../examples/server/demo/partner-client.js';
import { type AlertDeployment, STAGE_JOB_ID } from './deployment.js';

/** Partners that submit candidates and read lists, and a host that hires them. */
export type PartnerLoad = ReturnType<typeof startPartnerLoad>;

const EVERY_MS = 1_000;
/** The partners that submit. The others only have an endpoint. */
const SUBMITTING = 3;

/** Starts a load of about three requests a second. Failed requests do not end it. */
export function startPartnerLoad({ api, operator, partners }: AlertDeployment) {
  const clients = partners
    .slice(0, SUBMITTING)
    .map(({ secret }) => createPartnerClient(`http://127.0.0.1:${api.port}/api/v1/external`, secret));
  const counts: Record<string, number> = {};
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  let isBreaking = false;

  function call(send: () => Promise<number>): void {
    const running = send()
      .catch(() => 'none')
      .then((status) => {
        counts[status] = (counts[status] ?? 0) + 1;
      });
    underWay.add(running);
    void running.finally(() => underWay.delete(running));
  }

  async function hire(id: ApplicationId): Promise<void> {
    await operator.applications.move({ id });
    await operator.applications.decide({ id, decision: 'accepted' });
  }

  async function run(): Promise<void> {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const client = clients[turn % SUBMITTING];
      if (client === undefined) return;
      call(async () => {
        const body = JSON.stringify(submission(STAGE_JOB_ID));
        const { status, json } = await client.submit({ idempotencyKey: randomUUID(), body });
        if (status === 201) await hire(json.id as ApplicationId);
        return status;
      });
      call(async () => (await client.get('/jobs')).status);
      call(async () => (await client.get('/applications?limit=10')).status);
      if (isBreaking) {
        call(async () => {
          return (await client.submit({ idempotencyKey: randomUUID(), body: '{"jobId":"job_line_cook"}' }))
            .status;
        });
      }
      await setTimeout(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const running = run();
  return {
    /** Lets the partners also submit as many candidates whose body is wrong. */
    breakBodies: () => {
      isBreaking = true;
    },
    /** Returns how many replies had each status so far. A request without a reply counts as `none`. */
    replies: () => ({ ...counts }),
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all(underWay);
    },
  };
}
