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

/** The session of a staff member. */
export const STAFF = { cookie: 'staff=rosa' };

/** The host of a story, for further tests. Use it only while tests run. */
export interface JsonHost {
  get(path: string, headers?: Headers): Promise<Response>;
  /** Sends a request with the method POST. Returns the status. */
  post(path: string, headers: Headers, body?: unknown): Promise<number>;
  /** Submits an application for a candidate with this e-mail address, and returns its id. */
  submit(email: string): Promise<ApplicationId>;
  databaseUrl(): string;
  /** Returns everything that the host has printed. */
  output(): string;
  /** Starts another process of the built host on the same database. Returns how to get its pages. It ends after the test. */
  startReplica(...command: readonly string[]): Promise<JsonHost['get']>;
}

/**
 * Plays the story of the demo on a host that lists its candidates at `/candidates` and hires one at
 * `/candidates/{id}/hire`. The host is built from these folders, outside the repository. `also` adds tests of this host.
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

    const candidates = async () => (await fetch(`${origin}/candidates`)).json();
    const ada = { applicationId: id, name: 'Ada Lovelace' };
    await expect.poll(candidates, { timeout: 10_000 }).toMatchObject([{ ...ada, status: 'new' }]);
    const hire = () => fetch(`${origin}/candidates/${id}/hire`, { method: 'POST', headers: STAFF });
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

  const getFrom =
    (from: string) =>
    (path: string, sent: Headers = {}) =>
      fetch(`${from}${path}`, { headers: sent });
  also({
    get: (path, sent) => getFrom(origin)(path, sent),
    post: async (path, sent, body) => {
      const text = body === undefined ? null : JSON.stringify(body);
      return (await fetch(`${origin}${path}`, { method: 'POST', headers: sent, body: text })).status;
    },
    submit: async (email) => {
      const reply = await submit(`${origin}/api/v1/external`, headers, email);
      return (JSON.parse(reply) as { readonly id: ApplicationId }).id;
    },
    databaseUrl: () => env.DATABASE_URL ?? '',
    output: () => host.output(),
    startReplica: async (...command) => {
      const PORT = String(await freePort());
      const replica = run(command, { cwd: host.folder, env: { ...env, PORT } });
      onTestFinished(() => replica.stop());
      const get = getFrom(`http://127.0.0.1:${PORT}`);
      const status = () =>
        get('/readyz').then(
          (ready) => ready.status,
          () => 0,
        );
      await expect.poll(status, { timeout: 60_000 }).toBe(200);
      return get;
    },
  });
}
