import { randomBytes } from 'node:crypto';
import { type ClientOptions, readOptions } from '../client-options.js';
import { systemClock } from '../clock.js';
import { createPartnerClient } from '../create-partner-client.js';
import { isError } from '../json.js';
import { hintAboutTypes, LISTEN_HELP, type ListenSettings, readListenLine } from './command-line.js';
import { createCursorFile } from './cursor-file.js';
import { lockCursorFile } from './cursor-lock.js';
import { createLoopbackLookup, shownUrl } from './forward-url.js';
import { listen } from './listen.js';
import { ListenError } from './listen-error.js';
import { createPostWebhook } from './post-webhook.js';

export interface ListenProcess {
  readonly args: readonly string[];
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Aborts at Ctrl+C. */
  readonly signal: AbortSignal;
}

/** A command that can start, or null after the help. */
type Start = (() => Promise<void>) | null;

const EXIT_STOPPED = 0;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Runs the command until its signal aborts. Resolves with the exit code. */
export async function runListen(process: ListenProcess): Promise<number> {
  const fail = (error: unknown, advice: string) => {
    if (!(error instanceof ListenError)) throw error;
    process.printError(safeText(error.message + advice));
  };
  let start: Start;
  try {
    start = prepare(process);
  } catch (error) {
    fail(error, ' See partner-hiring-listen --help');
    return EXIT_USAGE;
  }
  try {
    await start?.();
    return EXIT_STOPPED;
  } catch (error) {
    fail(error, '');
    return EXIT_FAILED;
  }
}

/** @throws ListenError if an argument or a variable is invalid. */
function prepare(process: ListenProcess): Start {
  const line = readListenLine(process.args, process.env);
  if (line.kind === 'help') {
    process.print(LISTEN_HELP);
    return null;
  }
  const { signal } = process;
  const { url, allowRemote, cursorPath, isRotated, secrets: given, types } = line.settings;
  const print = (text: string) => process.print(safeText(text));
  const options = clientOptions(line.settings, print);
  const { baseUrl, scope, apiKey } = readClientOptions(options);
  const cursor = createCursorFile(cursorPath, { scope, apiKey, isRotated });
  const { events } = createPartnerClient(options);
  const secrets = given.length > 0 ? given : [createSigningSecret()];
  const post = createPostWebhook({ url, secrets, lookup: allowRemote ? undefined : createLoopbackLookup() });
  const ports = { events, cursor, post, choices: line.settings, clock: systemClock, print, signal };
  return async () => {
    const unlock = await lockCursorFile(cursorPath);
    try {
      print(`Forwarding events of ${baseUrl} to ${shownUrl(url)}. Stop with Ctrl+C.`);
      if (secrets !== given) {
        process.print(`Signing secret: ${secrets.join()}`);
        print('It is new, and not shown again. To keep one, set WEBHOOK_SECRET here and in your receiver.');
      }
      const hint = hintAboutTypes(types);
      if (hint !== null) print(hint);
      await listen(ports);
      print('Stopped. The next start continues after the last forwarded event.');
    } finally {
      await unlock();
    }
  };
}

function clientOptions({ baseUrl, apiKey }: ListenSettings, print: (text: string) => void): ClientOptions {
  return {
    baseUrl,
    apiKey,
    // The command itself waits, and says so. Only the client knows how long to wait for a rate limit.
    maxAttempts: 1,
    onAttempt: ({ status }) => {
      if (status === 429) print('The rate limit is used up. Waiting as long as the service says.');
    },
  };
}

/** The client names its options, and the user of the command knows their variables. */
function readClientOptions(options: ClientOptions): ReturnType<typeof readOptions> {
  try {
    return readOptions(options);
  } catch (error) {
    if (!isError(error) || error.name !== 'TypeError') throw error;
    const text = error.message
      .replaceAll('baseUrl', 'PARTNER_API_URL')
      .replaceAll('apiKey', 'PARTNER_API_KEY');
    throw new ListenError(text);
  }
}

/** The same form as the secrets of the service. */
function createSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}

/** Characters that manipulate a terminal. */
const HARMFUL = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Removes characters that manipulate a terminal, and secrets. */
function safeText(text: string): string {
  return text.replace(HARMFUL, ' ').replaceAll(/(whsec_|pek_(?:live|test)_)[\w-]+/g, '$1***');
}
