import { parseArgs } from 'node:util';
import { isError } from '../json.js';
import type { KnownEventType } from '../wire.js';
import { readForwardUrl } from './forward-url.js';
import type { ListenChoices } from './listen.js';
import { ListenError } from './listen-error.js';

/** The arguments and the environment of the command. */
export interface ListenSettings extends ListenChoices {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly url: URL;
  readonly allowRemote: boolean;
  readonly cursorPath: string;
  /** Whether the key of the cursor file has a new secret. */
  readonly isRotated: boolean;
  /** Empty if the environment has no secret. */
  readonly secrets: readonly string[];
}

export type ListenLine =
  | { readonly kind: 'help' }
  | { readonly kind: 'listen'; readonly settings: ListenSettings };

const CURSOR_FILE = '.partner-hiring-listen.json';

export const LISTEN_HELP = `Fetches your events with GET /events, and forwards each as a signed webhook to a receiver on this machine.

Usage: partner-hiring-listen --forward http://localhost:3000/webhooks [options]

  --forward <url>   The receiver: http or https on this machine
  --cursor <file>   Where to keep the position; default ${CURSOR_FILE}
  --from-now        Start with the events that occur from now on. Refused if the file has a position: a restart would
                    pass over events in silence
  --type <type>     Forward only events of this type, such as job.closed; repeat it for several. The position moves past
                    the others, so a later start without --type does not forward them
  --skip-after <n>  Skip an event that the receiver has refused n times, with an answer other than 2xx. Default: repeat
                    it without limit
  --rotated         The key of the cursor file has a new secret: keep the position
  --allow-remote    Permit a receiver on another machine
  --help            Print this help

Environment:
  PARTNER_API_URL   The base URL, such as https://hiring.example.com/api/v1/external
  PARTNER_API_KEY   Your key, pek_live_... or pek_test_...
  WEBHOOK_SECRET    The signing secret, or two with a comma during a rotation. Default: a new one, which is printed

An event is repeated until the receiver answers 2xx, so the receiver gets each event at least once, in order. The first
start forwards all events that the service keeps, later starts continue after the last forwarded event. Each attempt
prints its time, event, status and duration, and the start of the answer if it is a refusal.

A cursor file belongs to one key and one process. A second process stops with an error, and a killed one leaves no lock.

Exit codes: 0 stopped with Ctrl+C, 1 cannot continue, 2 invalid usage.`;

const OPTIONS = {
  forward: { type: 'string' },
  cursor: { type: 'string' },
  'from-now': { type: 'boolean' },
  type: { type: 'string', multiple: true },
  'skip-after': { type: 'string' },
  rotated: { type: 'boolean' },
  'allow-remote': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const KEY = /pek_(?:live|test)|^--?(?:partner-)?(?:api-)?key\b/i;
const SECRET = /whsec_|^--?(?:webhook-|signing-)?secret\b/i;

/** Parses the arguments. The key and the secret come from the environment only. @throws ListenError */
export function readListenLine(args: readonly string[], env: Readonly<NodeJS.ProcessEnv>): ListenLine {
  refuseSecrets(args);
  const values = parse(args);
  if (values.help === true) return { kind: 'help' };
  const { forward, cursor = CURSOR_FILE, 'allow-remote': allowRemote = false, rotated = false } = values;
  if (forward === undefined) throw new ListenError('--forward is missing: pass the URL of your receiver.');
  if (cursor === '') throw new ListenError('--cursor must name a file.');
  return {
    kind: 'listen',
    settings: {
      url: readForwardUrl(forward, allowRemote),
      baseUrl: required(env, 'PARTNER_API_URL', 'https://hiring.example.com/api/v1/external'),
      apiKey: required(env, 'PARTNER_API_KEY', 'your key, pek_live_... or pek_test_...'),
      allowRemote,
      cursorPath: cursor,
      isRotated: rotated,
      isFromNow: values['from-now'] ?? false,
      types: readTypes(values.type ?? []),
      skipAfter: readSkipAfter(values['skip-after']),
      secrets: readSecrets(env.WEBHOOK_SECRET ?? ''),
    },
  };
}

function refuseSecrets(args: readonly string[]): void {
  const refusal = (what: string, name: string) =>
    new ListenError(
      `Do not pass the ${what} as an argument, where other users of this machine can read it. Set ${name} in the environment.`,
    );
  if (args.some((arg) => KEY.test(arg))) throw refusal('API key', 'PARTNER_API_KEY');
  if (args.some((arg) => SECRET.test(arg))) throw refusal('signing secret', 'WEBHOOK_SECRET');
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    // Node adds advice for programmers after the first sentence.
    const [problem = ''] = String(isError(error) ? error.message : error).split(/\. |\n/);
    throw new ListenError(`${problem}.`);
  }
}

function readTypes(types: readonly string[]): readonly string[] {
  if (types.every((type) => /^[^\s,]+$/.test(type))) return types;
  throw new ListenError(
    '--type must be one type, such as job.closed. For several, repeat it: --type a --type b.',
  );
}

const KNOWN_TYPES: readonly KnownEventType[] = ['application.status_changed', 'job.opened', 'job.closed'];

/** Types are open, so an unknown one is only mentioned. Returns null if all are known. */
export function hintAboutTypes(types: readonly string[]): string | null {
  const unknown = types.filter((type) => !KNOWN_TYPES.some((known) => known === type));
  if (unknown.length === 0) return null;
  return `This version does not know --type ${unknown.join(', ')}. It knows ${KNOWN_TYPES.join(', ')}.`;
}

function readSkipAfter(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new ListenError('--skip-after must be a whole number from 1, such as 10.');
}

function required(env: Readonly<NodeJS.ProcessEnv>, name: string, example: string): string {
  const value = (env[name] ?? '').trim();
  if (value === '') throw new ListenError(`${name} is missing in the environment: set it to ${example}.`);
  return value;
}

function readSecrets(text: string): readonly string[] {
  if (text.trim() === '') return [];
  const secrets = text.split(',').map((secret) => secret.trim());
  if (secrets.every((secret) => /^[^\s"'`“”‘’]+$/.test(secret))) return secrets;
  throw new ListenError(
    'WEBHOOK_SECRET must be a signing secret, whsec_..., without spaces and quotes, or two with a comma.',
  );
}
