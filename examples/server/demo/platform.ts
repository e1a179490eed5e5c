import { join } from 'node:path';
import type { OperatorCommands } from '@partner-hiring/core';
import { openPartnerHiring } from '../open-partner-hiring.js';
import { readSettings } from '../settings.js';
import { type RunningChild, startChild } from './child.js';
import { DemoFailure } from './demo-failure.js';

/** The running hiring platform of the demo. */
export interface Platform {
  readonly baseUrl: string;
  /** The partner's production key. */
  readonly apiKey: string;
  /** The signing secrets of the partner's production and sandbox keys. */
  readonly signingSecrets: readonly string[];
  /** The operator API in this process, on the server's database. */
  readonly operator: OperatorCommands;
}

/** The starting platform. */
export interface PlatformServer {
  /** Resolves when the server listens and has printed the secrets of its keys. */
  ready(): Promise<Platform>;
  /** The server's output. */
  output(): string;
  /** Stops the server. Returns its exit code; null if it was killed. Further calls have no effect. */
  stop(): Promise<number | null>;
}

const START_MS = 30_000;
/** The last line that the server prints at its start. */
const READY = 'Stop with Ctrl-C.';

/**
 * Starts the server on a free port, with its database in the given folder and webhooks to the given URL.
 *
 * @param execArgv - the Node options that run TypeScript; by default those of this process.
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
    // Ignores settings of another server.
    SANDBOX_WEBHOOK_URL: '',
    PARTNER_HIRING_SEALING_KEY: '',
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

/** Reads the printed secrets. */
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
