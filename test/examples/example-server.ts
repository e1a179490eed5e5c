import { join } from 'node:path';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { onTestFinished } from 'vitest';
import { type RunningChild, startChild } from '../../examples/server/demo/child.js';
import { temporaryFolder } from './temporary-folder.js';

/** The example server in a process of its own, and what its first start has shown. */
export interface ExampleServer {
  readonly baseUrl: string;
  readonly port: number;
  /** Of production. */
  readonly apiKey: string;
  readonly sandboxKey: string;
  /** Stops it and starts it again, on the same port and database. */
  restart(): Promise<void>;
}

const START_MS = 30_000;

/** Starts it on a fresh database; it ends with the test. */
export async function startExampleServer(): Promise<ExampleServer> {
  const DATABASE_FILE = join(await temporaryFolder(), 'example.sqlite');
  const env = { DATABASE_FILE, SECRET_KEY: '', WEBHOOK_URL: '', PORT: '0', RECEIVER_PORT: '0' };
  let server = await start(env);
  onTestFinished(async () => void (await server.stop()));
  const [, baseUrl = '', port = ''] = /Base URL +(http:\/\/[^:]+:(\d+)\S*)/.exec(server.output()) ?? [];
  const [apiKey = ''] = /pek_live_[\w-]+/.exec(server.output()) ?? [];
  const [sandboxKey = ''] = /pek_test_[\w-]+/.exec(server.output()) ?? [];
  return {
    baseUrl,
    port: Number(port),
    apiKey,
    sandboxKey,
    restart: async () => {
      await server.stop();
      server = await start({ ...env, PORT: port });
    },
  };
}

async function start(env: Readonly<Record<string, string>>): Promise<RunningChild> {
  const server = startChild('main.ts', env, RUN_BUNDLED);
  await server.waitFor('Stop with Ctrl-C.', START_MS);
  return server;
}
