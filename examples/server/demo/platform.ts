import { join } from 'node:path';
import type { OperatorCommands } from '@partner-hiring/core';
import { openPartnerHiring } from '../open-partner-hiring.js';
import { readSettings } from '../settings.js';
import { type RunningChild, startChild } from './child.js';
import { DemoFailure } from './demo-failure.js';

/** The hiring platform of the demo, once its server is ready. */
export interface Platform {
  readonly baseUrl: string;
  /** The partner's production key. */
  readonly apiKey: string;
  /** What the webhooks of its production and its sandbox key are signed with. */
  readonly signingSecrets: readonly string[];
  /** What the platform does, in this process, while the server runs in another on the same database. */
  readonly operator: OperatorCommands;
}

/** The platform as it was started. */
export interface PlatformServer {
  /** The platform, once its server listens and has shown its secrets. */
  ready(): Promise<Platform>;
  /** Everything the server has printed. */
  output(): string;
  /** Stops it; the server's exit code, null if it had to be killed. May be called again. */
  stop(): Promise<number | null>;
}

const START_MS = 30_000;
/** The last line of what a start prints. */
const READY = 'Stop with Ctrl-C.';

/**
 * Starts the server on a free port, with a database in that folder and webhooks to that URL.
 *
 * @param execArgv - options of Node that let it run TypeScript; this process's own unless they are given.
 */
export function startPlatform(
  folder: string,
  webhookUrl: string,
  execArgv?: readonly string[],
): PlatformServer {
  const env = {
    DATABASE_FILE: join(folder, 'demo.sqlite'),
    HOST: '127.0.0.1',
    PORT: '0',
    // What is set for a server of one's own is none of the demo's.
    SANDBOX_WEBHOOK_URL: '',
    SECRET_KEY: '',
    WEBHOOK_URL: webhookUrl,
  };
  const server = startChild('main.ts', env, execArgv);
  let closeOperator = async () => {};
  return {
    output: () => server.output(),
    ready: async () => {
      await server.waitFor(READY, START_MS);
      const { operator, close } = await openPartnerHiring(readSettings(env));
      closeOperator = close;
      return { ...readSecrets(server), operator };
    },
    stop: async () => {
      await closeOperator();
      return server.stop();
    },
  };
}

/** Reads what the server shows once, as a person would copy it. */
function readSecrets(server: RunningChild): Omit<Platform, 'operator'> {
  const find = (pattern: RegExp): string => {
    const found = pattern.exec(server.output())?.[1];
    if (found === undefined) throw new DemoFailure(`The server printed nothing like ${pattern.source}`);
    return found;
  };
  return {
    baseUrl: find(/Base URL\s+(\S+)/),
    apiKey: find(/(pek_live_[\w-]+)/),
    signingSecrets: server.output().match(/whsec_[\w-]+/g) ?? [],
  };
}
