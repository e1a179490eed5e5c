import { randomBytes } from 'node:crypto';
import type { ApplicationId } from '@partner-hiring/core';
import { startPostgres } from '@partner-hiring/test-support/postgres/server';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createReceiver, WEBHOOK_PATH } from '../../examples/receiver/receiver.js';
import { createDatabase } from './create-database.js';
import { freePort } from './free-port.js';
import { run } from './project.js';
import { type Outside, startOutside } from './start-outside.js';
import { submit } from './submit.js';

type Headers = Readonly<Record<string, string>>;

const STAFF_TOKEN = randomBytes(32).toString('hex');

/** The session of a staff member. */
export const STAFF = { cookie: `staff=${STAFF_TOKEN}` };

/** What a stranger may send instead. */
const STRANGERS: readonly Headers[] = [
  {},
  { cookie: 'staff=rosa' },
  { cookie: 'staff=' },
  { cookie: `staff=${STAFF_TOKEN}0` },
  { cookie: `mystaff=${STAFF_TOKEN}` },
  { authorization: `Bearer ${STAFF_TOKEN}` },
];

/** A process of a host. */
export interface JsonHostProcess {
  get(path: string, headers?: Headers): Promise<Response>;
  /** Returns the metrics, which have a port of their own. */
  metrics(): Promise<string>;
}

/** The host of a story, for further tests. Use it only while tests run. */
export interface JsonHost extends JsonHostProcess {
  /** Sends a request with the method POST. Returns the status. */
  post(path: string, headers: Headers, body?: unknown): Promise<number>;
  /** Submits an application for a candidate with this e-mail address, and returns its id. */
  submit(email: string): Promise<ApplicationId>;
  origin(): string;
  databaseUrl(): string;
  /** Returns everything that the host has printed. */
  output(): string;
  /** Runs a command in the folder of the built host, and returns its output. */
  run(...command: readonly string[]): Promise<string>;
  /** Starts another process of the built host on the same database. It ends after the test. */
  startReplica(...command: readonly string[]): Promise<JsonHostProcess>;
}

/**
 * Plays the story of the demo on a host that lists its candidates at `/candidates` and hires one at
 * `/candidates/{id}/hire`, both for staff. The host is built from these folders, outside the repository. `also` adds tests of this host.
 */
export function describeJsonHost(
  sources: readonly string[],
  also: (host: JsonHost) => void = () => {},
): void {
  let host: Outside;
  let origin: string;
  let env: Readonly<Record<string, string>> = {};
  let headers: Headers = {};
  let secret = '';
  let close = async () => {};
  const events: string[] = [];
  const receiver = createReceiver({
    secrets: () => [secret],
    onDelivery: (delivery) => events.push(JSON.stringify(delivery)),
  });

  beforeAll(async () => {
    const postgres = await startPostgres();
    close = () => postgres.stop();
    const webhooks = await receiver.listen({ host: '127.0.0.1', port: 0 });
    const PORT = String(await freePort());
    origin = `http://127.0.0.1:${PORT}`;
    env = {
      PORT,
      METRICS_PORT: String(await freePort()),
      STAFF_TOKEN,
      DATABASE_URL: await createDatabase(postgres.url),
      PARTNER_HIRING_SEALING_KEY: randomBytes(32).toString('base64'),
      ALLOW_PRIVATE_NETWORKS: 'yes',
      WEBHOOK_URL: `${webhooks}${WEBHOOK_PATH}`,
    };
    host = await startOutside(sources, env);
  });

  afterAll(async () => {
    await host?.stop();
    await receiver.close();
    await close();
  });

  it('stores a candidate of a partner in its own tables, hires her, and tells the partner', async () => {
    const [, key = ''] = await host.waitFor(/API key (\S+)/);
    [, secret = ''] = await host.waitFor(/Signing secret (\S+)/);
    const api = `${origin}/api/v1/external`;
    headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    await expect
      .poll(
        () =>
          fetch(`${api}/jobs`).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 10_000 },
      )
      .toBe(401);
    expect(await (await fetch(`${api}/jobs`, { headers })).json()).toMatchObject({
      data: [{ id: 'job_4711' }],
    });

    const reply = await submit(api, headers);
    const { id } = JSON.parse(reply) as { id: string };

    const candidates = async () => (await fetch(`${origin}/candidates`, { headers: STAFF })).json();
    const ada = { applicationId: id, name: 'Ada Lovelace' };
    await expect.poll(candidates, { timeout: 10_000 }).toMatchObject([{ ...ada, status: 'new' }]);
    const hire = (sent: Headers = STAFF) =>
      fetch(`${origin}/candidates/${id}/hire`, { method: 'POST', headers: sent });
    for (const sent of STRANGERS) {
      const answers = [await fetch(`${origin}/candidates`, { headers: sent }), await hire(sent)];
      expect([sent, ...answers.map(({ status }) => status)]).toEqual([sent, 401, 401]);
      for (const answer of answers) expect(await answer.text()).not.toMatch(/Ada|Lovelace|ej_app_/);
    }
    expect((await fetch(`${origin}/metrics`, { headers: STAFF })).status).toBe(404);
    expect(await candidates()).toMatchObject([{ ...ada, status: 'new' }]);
    const hired = await hire();
    expect([hired.status, host.output()]).toEqual([204, expect.any(String)]);
    expect(await candidates()).toMatchObject([{ ...ada, status: 'hired' }]);

    await expect.poll(() => events.join('\n'), { timeout: 10_000 }).toContain('"accepted"');
    expect(await (await fetch(`${api}/applications/${id}`, { headers })).json()).toMatchObject({
      id,
      status: 'accepted',
    });
    // A second hire fails as a whole: the host's row and the library's commit together.
    expect([409, 500]).toContain((await hire()).status);
  });

  const processAt = (own: () => Readonly<Record<string, string>>): JsonHostProcess => ({
    get: (path, sent = {}) => fetch(`http://127.0.0.1:${own().PORT}${path}`, { headers: sent }),
    metrics: async () => (await fetch(`http://127.0.0.1:${own().METRICS_PORT}/metrics`)).text(),
  });
  also({
    ...processAt(() => env),
    post: async (path, sent, body) => {
      const text = body === undefined ? null : JSON.stringify(body);
      return (await fetch(`${origin}${path}`, { method: 'POST', headers: sent, body: text })).status;
    },
    submit: async (email) => {
      const reply = await submit(`${origin}/api/v1/external`, headers, email);
      return (JSON.parse(reply) as { readonly id: ApplicationId }).id;
    },
    origin: () => origin,
    databaseUrl: () => env.DATABASE_URL ?? '',
    output: () => host.output(),
    run: (...command) => run(command, { cwd: host.folder, env }).finish(),
    startReplica: async (...command) => {
      const ports = { PORT: String(await freePort()), METRICS_PORT: String(await freePort()) };
      const started = run(command, { cwd: host.folder, env: { ...env, ...ports } });
      onTestFinished(() => started.stop());
      const replica = processAt(() => ports);
      const status = () =>
        replica.get('/readyz').then(
          (ready) => ready.status,
          () => 0,
        );
      await expect.poll(status, { timeout: 60_000 }).toBe(200);
      return replica;
    },
  });
}
