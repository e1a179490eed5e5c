import { setTimeout } from 'node:timers/promises';
import type { JobId } from '@partner-hiring/core';
import pg from 'pg';
import type { AlertDeployment } from './deployment.js';
import type { ExampleProcess } from './example-process.js';
import type { PartnerLoad } from './load.js';

/** A fault of a running deployment, and the alerts that must fire. It lasts until the deployment stops. */
export interface AlertFault {
  readonly name: string;
  readonly alerts: readonly string[];
  /** What to add to the alert's window, in seconds, because it does not shrink with the rules' times. */
  readonly fixedSeconds?: number;
  /** Injects the fault. Returns what ends its work. */
  inject(deployment: AlertDeployment, load: PartnerLoad): Promise<() => Promise<void>>;
}

const NOTHING = async () => {};

const WAITER = {
  companyId: 'co_bistro',
  title: 'Waiter or host',
  location: { city: 'Austin', state: 'TX', country: 'US' },
  compensation: { type: 'hourly', min: 18, max: 22.5, currency: 'USD' },
  applicationFormSchema: null,
} as const;

/** A killed worker counts as alive for this long, and a heartbeat may have been written just before. */
const ALIVE_SECONDS = 95;

/** The worker finds a retry of another process at its next poll, so ten attempts take at least ten seconds. */
const TEN_ATTEMPTS_SECONDS = 40;

/** The deployment that loses its database. */
export const DATABASE_DEPLOYMENT = 'database';

/** The faults of each deployment. Those of one deployment do not hide each other. */
export const FAULTS: Readonly<Record<string, readonly AlertFault[]>> = {
  [DATABASE_DEPLOYMENT]: [
    {
      name: 'the database is away',
      alerts: ['PartnerHiringDatabaseUnreachable', 'PartnerHiringApiErrors'],
      async inject({ proxy }) {
        await proxy.close();
        return NOTHING;
      },
    },
  ],
  worker: [
    {
      name: 'the worker is killed',
      alerts: ['PartnerHiringNoWorker', 'PartnerHiringDeliveriesLate', 'PartnerHiringProcessDown'],
      fixedSeconds: ALIVE_SECONDS,
      async inject({ worker }) {
        worker.child.kill('SIGKILL');
        return NOTHING;
      },
    },
    {
      name: 'the machine of the API is overloaded',
      alerts: ['PartnerHiringEventLoopBlocked'],
      async inject({ api }) {
        return stopAgainAndAgain(api);
      },
    },
  ],
  receivers: [
    {
      name: 'the receivers of three partners answer 503',
      alerts: ['PartnerHiringEndpointsFailing'],
      async inject({ receiver, partners }) {
        for (const { path } of partners.slice(0, 3)) receiver.answer(path, 503);
        return NOTHING;
      },
    },
    {
      name: 'a receiver answers 410',
      alerts: ['PartnerHiringEndpointPaused'],
      async inject({ receiver, partners: [, , , partner], operator }) {
        if (partner === undefined) throw new Error('There is no fourth partner.');
        receiver.answer(partner.path, 410);
        await announceJob(operator, 'job_waiter');
        return NOTHING;
      },
    },
    {
      name: 'a delivery fails ten times',
      alerts: ['PartnerHiringDeliveriesDead'],
      fixedSeconds: TEN_ATTEMPTS_SECONDS,
      async inject({ receiver, partners: [, , , , partner], operator }) {
        if (partner === undefined) throw new Error('There is no fifth partner.');
        receiver.answer(partner.path, 500);
        await announceJob(operator, 'job_host');
        // The operator asks for each retry at once. Otherwise, ten attempts take four days.
        return repeat(500, async () => {
          await operator.endpoints.resume({ keyId: partner.keyId, retryNow: true });
        });
      },
    },
    {
      name: 'a lock stops the sweeps',
      alerts: ['PartnerHiringSweepsBehind'],
      fixedSeconds: ALIVE_SECONDS,
      async inject({ databaseUrl }) {
        return hold(databaseUrl, 'lock table partner_hiring.ph_request_read in access exclusive mode');
      },
    },
  ],
  copy: [
    {
      name: 'the database belongs to another deployment',
      alerts: ['PartnerHiringDeploymentSilent'],
      async inject({ databaseUrl }) {
        const commit = await hold(
          databaseUrl,
          "insert into partner_hiring.ph_deployment values (1, 'production', 1, 'elsewhere', null)",
        );
        await commit();
        return NOTHING;
      },
    },
    {
      name: 'the source of the jobs has lost most jobs and a title, and then fails twice',
      alerts: ['PartnerHiringJobSyncFailing', 'PartnerHiringJobSyncRefusedRows', 'PartnerHiringJobSyncHeld'],
      async inject({ operator: { jobs } }) {
        const rows = Array.from({ length: 30 }, (_, n) => ({ ...WAITER, id: `job_sync_${n}` }) as const);
        await jobs.syncs.run(rows);
        const held = await jobs.syncs.run([
          ...rows.slice(0, 5),
          { ...WAITER, id: 'job_untitled', title: '' },
        ]);
        if (held.state !== 'held') throw new Error(`The sync is ${held.state}.`);
        await failSync(jobs);
        await failSync(jobs);
        return NOTHING;
      },
    },
  ],
  requests: [
    {
      name: 'submissions have wrong bodies',
      alerts: ['PartnerHiringSubmissionsRefused'],
      async inject(_, load) {
        load.breakBodies();
        return NOTHING;
      },
    },
    {
      name: 'a transaction of the host holds the feeds',
      alerts: ['PartnerHiringApiSlow'],
      async inject({ databaseUrl }) {
        return repeat(200, async () => {
          const release = await hold(databaseUrl, 'select 1 from partner_hiring.ph_feed_head for update');
          await setTimeout(3_000);
          await release();
        });
      },
    },
    {
      name: "the host's own table is missing",
      alerts: ['PartnerHiringInboxLate'],
      async inject({ databaseUrl }) {
        const commit = await hold(databaseUrl, 'alter table candidate rename to renamed');
        await commit();
        return NOTHING;
      },
    },
  ],
};

/** Causes an event for every partner that sees the job. */
async function announceJob({ jobs }: AlertDeployment['operator'], id: JobId): Promise<void> {
  await jobs.publish({ ...WAITER, id });
}

async function failSync({ syncs }: AlertDeployment['operator']['jobs']): Promise<void> {
  const source: Iterable<never> = {
    [Symbol.iterator]() {
      throw new Error('The table is gone.');
    },
  };
  await syncs.run(source).then(
    () => Promise.reject(new Error('The sync should fail.')),
    () => {},
  );
}

/** Runs statements in a transaction, and keeps it open until the returned function is called. */
async function hold(connectionString: string, sql: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  await client.query(`begin; ${sql}`);
  return async () => {
    await client.query('commit');
    await client.end();
  };
}

/** Repeats work until the returned function is called. A failure ends it, and is thrown there. */
function repeat(pauseMs: number, work: () => Promise<void>): () => Promise<void> {
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      await work();
      await setTimeout(pauseMs);
    }
  })();
  running.catch(() => {});
  return async () => {
    isOver = true;
    await running;
  };
}

/** Takes the processor from a process for half of the time, so that each scrape sees it. */
function stopAgainAndAgain({ child }: ExampleProcess): () => Promise<void> {
  return repeat(300, async () => {
    child.kill('SIGSTOP');
    await setTimeout(300);
    child.kill('SIGCONT');
  });
}
