import { userInfo } from 'node:os';
import type { ServingCommand } from '../command/command.js';
import { UsageError } from '../command/command-error.js';
import { ConnectionError } from '../connection/connection-error.js';
import { isMissingPackage } from '../connection/load-storage.js';
import { sentence } from '../report/report.js';
import { serveOnLoopback } from './serve-on-loopback.js';

const MAX_PORT = 65_535;

/** The command `console`: serves the web console on this machine, for the person who reads the terminal. */
export const consoleCommand: ServingCommand = {
  summary: 'Serves the web console on this machine, until you press Ctrl-C',
  options: {
    port: { value: 'N', summary: 'The port on 127.0.0.1 (default: any free one)' },
    api: {
      value: 'URL',
      summary: 'The base URL of your partner API, for the hand-over sheet of a new partner',
    },
    docs: { value: 'URL', summary: 'The address of your docs, for the hand-over sheet of a new partner' },
    support: { value: 'TEXT', summary: 'Whom a new partner asks, for the hand-over sheet' },
    'read-only': { summary: 'Shows everything but personal data, and changes nothing' },
  },
  usesSealingKey: true,
  serve: async (operator, input, { actor, print }) => {
    const port = readPort(input.optionNumber('port'));
    const { CONSOLE_RIGHTS, createConsole, createOneTimeLogin } = await loadConsole();
    const id = actor?.id ?? userName();
    const rights = input.isSet('read-only') ? CONSOLE_RIGHTS.viewer : CONSOLE_RIGHTS.admin;
    const login = createOneTimeLogin({
      actor: { id, name: actor?.name ?? id, rights, partnerIds: 'all' },
    });
    const { signIn, signOut, path } = login;
    const handOver = {
      api: readAddress('api', input.option('api')),
      docs: readAddress('docs', input.option('docs')),
      support: input.option('support'),
    };
    const { node } = createConsole({ operator, actor: login.actor, signIn, signOut, path, handOver });
    await serveOnLoopback(node, port, (origin) => {
      print(
        `The console is ready. This link works once, within 10 minutes:\n\n  ${login.createLink(origin)}\n`,
      );
      print('To stop it, press Ctrl-C.');
    });
    return sentence('Stopped.', { stopped: true });
  },
};

function readPort(port = 0): number {
  if (Number.isInteger(port) && port >= 0 && port <= MAX_PORT) return port;
  throw new UsageError(`--port must be a number from 0 to ${MAX_PORT}, 0 for any free port.`);
}

function readAddress(name: string, url: string | undefined): string | undefined {
  if (url === undefined || (/^https?:/.test(url) && URL.canParse(url))) return url;
  throw new UsageError(`--${name} must be an address: https://….`);
}

async function loadConsole(): Promise<typeof import('@partner-hiring/console')> {
  try {
    return await import('@partner-hiring/console');
  } catch (error) {
    if (!isMissingPackage(error, ['@partner-hiring/console'])) throw error;
    const fix = 'Run: npm install @partner-hiring/console';
    throw new ConnectionError(`The console is a package that is not installed. ${fix}`, { cause: error });
  }
}

/** Returns the account's name for the audit. In some containers, the account has no name. */
function userName(): string {
  try {
    return userInfo().username || 'local';
  } catch {
    return 'local';
  }
}
