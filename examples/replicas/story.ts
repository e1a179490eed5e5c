import { setTimeout } from 'node:timers/promises';
import type { ApplicationId, IssuedKey } from '@partner-hiring/core';
import { expectEqual, expectThat } from '../server/demo/demo-failure.js';
import { createPartnerClient, type PartnerClient, rowsOf } from '../server/demo/partner-client.js';
import type { PartnerReceiver } from '../server/demo/partner-receiver.js';
import type { Step } from '../server/demo/storyteller.js';
import type { Deployment } from './deployment.js';
import { hireOne, newSubmission, startFlow, submitOne } from './flow.js';
import { JOB_ID, letPartnersIn } from './let-partners-in.js';
import type { Replica } from './replica.js';

const BASE_PATH = '/api/v1/external';
/** Initial submissions to each API by each partner. */
const FIRST_ROUND = 3;
/** How long to wait for a worker's output. */
const LOOKS = 40;
const PAUSE_MS = 50;

/** The participants. */
export interface Cast {
  readonly deployment: Deployment;
  readonly receiver: PartnerReceiver;
  readonly step: Step;
}

/** Runs the story: it submits, hires and restarts one process of each kind. Returns the partners' keys. */
export async function playStory({ deployment, receiver, step }: Cast): Promise<readonly IssuedKey[]> {
  const { apis, workers, balancer, operator } = deployment;
  const keys = await step('Two partners get access, and hear of a job', async () => {
    const value = await letPartnersIn(operator, receiver.webhookUrl);
    receiver.setSecrets(value.map(({ endpoint }) => endpoint?.signingSecret ?? ''));
    await receiver.waitForEvent(
      () => countOf(receiver, 'job.opened') === value.length,
      'Waiting for job.opened',
    );
    return { value, told: `job.opened of ${JOB_ID}, ${await told(workers, receiver)}` };
  });
  const clientsOf = (address: string | null) =>
    keys.map(({ secret }) => createPartnerClient(`${address}${BASE_PATH}`, secret));

  const first = await step('Both submit candidates to both APIs', async () => {
    const value: ApplicationId[] = [];
    for (const partner of apis.flatMap((api) => clientsOf(api.address()))) {
      for (let n = 0; n < FIRST_ROUND; n += 1) value.push(await submitOne(partner));
    }
    return { value, told: `${value.length} times 201` };
  });
  const same = await step('The same submission to both APIs at once gives one candidate', () =>
    submitToBoth(apis.flatMap((api) => clientsOf(api.address())[0] ?? [])),
  );
  await step('The platform hires them all', async () => {
    const ids = [...first, same];
    for (const id of ids) await hireOne(operator, id);
    await hearOf(receiver, ids);
    return { value: undefined, told: `${ids.length} webhooks, verified: ${await told(workers, receiver)}` };
  });

  const flow = startFlow(clientsOf(balancer.address), operator);
  for (const [index, api] of apis.entries()) {
    const worker = workers[index];
    if (worker === undefined) continue;
    await step(
      `${api.name} and ${worker.name} stop and start again, while candidates are submitted and hired`,
      () => restart([api, worker]),
    );
  }
  const all = await step('Each request was answered, and each hire arrives', async () => {
    const came = await flow.end();
    await hearOf(receiver, came);
    return {
      value: [...first, same, ...came],
      told: `${came.length} more: ${await told(workers, receiver)}`,
    };
  });
  await step('Both APIs list every candidate, once', async () => {
    for (const api of apis) await expectListed(clientsOf(api.address()), all);
    return { value: undefined, told: `${all.length} candidates, all accepted` };
  });
  return keys;
}

async function submitToBoth(partners: readonly PartnerClient[]) {
  const submission = newSubmission();
  const [one, other] = await Promise.all(partners.map((partner) => partner.submit(submission)));
  expectEqual(one?.status, 201, `The first partner's reply (${one?.text})`);
  expectEqual(other?.text, one?.text, "The second partner's reply");
  const replayed = [one, other].filter((reply) => reply?.headers.get('idempotent-replayed') === 'true');
  expectEqual(replayed.length, 1, 'The replies that are replays');
  return { value: one?.json.id as ApplicationId, told: '201 with the same bytes from both, one as a replay' };
}

async function restart(replicas: readonly Replica[]) {
  const before = replicas.map((replica) => replica.pid());
  for (const code of await Promise.all(replicas.map((replica) => replica.stop()))) {
    expectEqual(code, 0, 'The exit code');
  }
  await Promise.all(replicas.map((replica) => replica.start()));
  const after = replicas.map((replica) => replica.pid());
  return {
    value: undefined,
    told: `exit code 0; processes ${before.join(', ')} are now ${after.join(', ')}`,
  };
}

/**
 * Waits for one event of each hire, and expects no duplicates. Webhooks may arrive twice in general, but this
 * story gives no reason for that.
 */
async function hearOf(receiver: PartnerReceiver, ids: readonly ApplicationId[]): Promise<void> {
  for (const id of ids) {
    await receiver.waitForEvent(
      ({ type, data }) => type === 'application.status_changed' && data.applicationId === id,
      `Waiting for the hire of ${id}`,
    );
  }
  const seen = receiver.events().map(({ id }) => id);
  expectEqual(new Set(seen).size, seen.length, 'The different events among those that arrived');
}

async function expectListed(
  partners: readonly PartnerClient[],
  ids: readonly ApplicationId[],
): Promise<void> {
  const listed: unknown[] = [];
  for (const partner of partners) {
    const rows = rowsOf(await partner.get('/applications?limit=100'));
    expectThat(
      rows.every(({ status }) => status === 'accepted'),
      'All listed candidates should be accepted',
    );
    listed.push(...rows.map(({ id }) => id));
  }
  expectEqual(listed.toSorted().join(), ids.toSorted().join(), 'The listed candidates');
}

function countOf(receiver: PartnerReceiver, wanted: string): number {
  return receiver.events().filter(({ type }) => type === wanted).length;
}

/** Counts the deliveries of each worker. Their output may arrive late. */
async function told(workers: readonly Replica[], receiver: PartnerReceiver): Promise<string> {
  const sentBy = (worker: Replica) => worker.lines().filter((line) => line.startsWith('sent ')).length;
  const arrived = receiver.events().length;
  for (let look = 0; look < LOOKS; look += 1) {
    if (workers.reduce((sum, worker) => sum + sentBy(worker), 0) >= arrived) break;
    await setTimeout(PAUSE_MS);
  }
  return workers.map((worker) => `${worker.name} has sent ${sentBy(worker)}`).join(', ');
}
