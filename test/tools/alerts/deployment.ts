import { createPartnerHiring, type KeyId, type OperatorCommands } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { startDatabaseProxy, type TcpProxy } from '@partner-hiring/test-support/network/tcp-proxy';
import pg from 'pg';
import { runExample, startExample } from './example-process.js';
import { startPartnerReceivers } from './partner-receivers.js';
import { startPrometheus } from './prometheus-server.js';

/** A partner with a key, whose webhooks go to its own path of the receiver. */
export interface StagePartner {
  readonly keyId: KeyId;
  readonly secret: string;
  readonly path: string;
}

/** An API, a worker and their Prometheus, on a database of their own. */
export type AlertDeployment = Awaited<ReturnType<typeof startAlertDeployment>>;

const PARTNERS = 5;
export const STAGE_JOB_ID = 'job_line_cook';
const COMPANY_ID = 'co_bistro';
const SEALING_KEY = '0123456789abcdef'.repeat(4);

/**
 * Starts a deployment.
 *
 * @param serverUrl - a PostgreSQL server, as superuser.
 * @param factor - divides the times of Prometheus.
 */
export async function startAlertDeployment(serverUrl: string, name: string, factor: number) {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const databaseUrl = await createDatabase(serverUrl, name);
    const env = { PARTNER_HIRING_SEALING_KEY: SEALING_KEY, ALLOW_PRIVATE_NETWORKS: 'yes' };
    await runExample('migrate.ts', { ...env, DATABASE_URL: databaseUrl });

    const proxy = closedOnce(await startDatabaseProxy(databaseUrl));
    undo.push(() => proxy.close());
    const receiver = await startPartnerReceivers();
    undo.push(() => receiver.close());
    const host = createPartnerHiring({
      storage: await createPostgresStorage({ connectionString: databaseUrl, maxConnections: 3 }),
      secretKey: SEALING_KEY,
      allowPrivateNetworks: true,
    });
    undo.push(() => host.close());
    const partners = await letPartnersJoin(host.operator, receiver.url);

    const open = async (program: 'api.ts' | 'worker.ts') => {
      const opened = await startExample(program, { ...env, DATABASE_URL: proxy.connectionString });
      undo.push(() => opened.stop());
      return opened;
    };
    const [api, worker] = await Promise.all([open('api.ts'), open('worker.ts')]);
    const targets = [api, worker].map(({ metricsPort }) => `127.0.0.1:${metricsPort}`);
    const prometheus = await startPrometheus(targets, factor);
    undo.push(() => prometheus.stop());
    const { operator } = host;
    return {
      name,
      api,
      worker,
      /** Leads the processes to their database. */
      proxy,
      /** Leads around the proxy. */
      databaseUrl,
      receiver,
      prometheus,
      operator,
      /** The first three submit candidates. The last two only have an endpoint. */
      partners,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A fault may close the proxy before the deployment stops. */
function closedOnce<Proxy extends TcpProxy>(proxy: Proxy): Proxy {
  let closing: Promise<void> | undefined;
  return {
    ...proxy,
    close: () => {
      closing ??= proxy.close();
      return closing;
    },
  };
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`create database alerts_${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/alerts_${name}`;
  return url.href;
}

async function letPartnersJoin(
  operator: OperatorCommands,
  receiverUrl: string,
): Promise<readonly StagePartner[]> {
  await operator.companies.create({ id: COMPANY_ID, name: 'Bistro Nord', environment: 'production' });
  await operator.jobs.publish({
    id: STAGE_JOB_ID,
    companyId: COMPANY_ID,
    title: 'Line Cook',
    location: { city: 'Austin', state: 'TX', country: 'US' },
    compensation: { type: 'hourly', min: 18, max: 22.5, currency: 'USD' },
    applicationFormSchema: null,
  });
  const partners: StagePartner[] = [];
  for (let n = 1; n <= PARTNERS; n += 1) {
    const path = `/partner-${n}`;
    const { id: partnerId } = await operator.partners.create({ name: `Partner ${n}` });
    const { key, secret } = await operator.keys.issue({
      partnerId,
      environment: 'production',
      endpointUrl: `${receiverUrl}${path}`,
    });
    const access = { keyId: key.id, companyId: COMPANY_ID } as const;
    await operator.access.grant(access);
    await operator.access.raiseLimit(access);
    partners.push({ keyId: key.id, secret, path });
  }
  return partners;
}
