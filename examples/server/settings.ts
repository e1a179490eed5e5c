import { dirname, join, resolve } from 'node:path';
import { SetupError } from './setup-error.js';

/** The settings of the example. */
export interface Settings {
  readonly databaseFile: string;
  /** The folder of fetched résumés. */
  readonly resumeFolder: string;
  /** The folder of packed packages, which the server serves if it exists. */
  readonly packagesFolder: string;
  /** The bundled receiver's file of signing secrets. */
  readonly receiverSecretsFile: string;
  /** The file of the sealing key, unless `secretKey` is set. */
  readonly secretKeyFile: string;
  readonly secretKey: string | null;
  /** The name of the deployment. Null if it has none. */
  readonly deployment: string | null;
  /** The file of the random part of the portal's path. */
  readonly portalPathFile: string;
  readonly host: string;
  readonly port: number;
  readonly receiverPort: number;
  /**
   * The webhook URL of your own receiver; null starts the bundled receiver. The first start stores it in the
   * endpoints.
   */
  readonly webhookUrl: string | null;
  /**
   * The webhook URL of a different receiver for the sandbox key. The first start stores it in the endpoint.
   */
  readonly sandboxWebhookUrl: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings. Each has a default.
 *
 * @throws SetupError for an invalid port, or a URL that is invalid, too long or has credentials.
 */
export function readSettings(env: Environment): Settings {
  const databaseFile = resolve(readFile(env, 'DATABASE_FILE') ?? 'data/partner-hiring.sqlite');
  return {
    databaseFile,
    resumeFolder: join(dirname(databaseFile), 'resumes'),
    packagesFolder: join(dirname(databaseFile), 'packages'),
    receiverSecretsFile: `${databaseFile}.receiver`,
    secretKeyFile: `${databaseFile}.key`,
    secretKey: given(env.PARTNER_HIRING_SEALING_KEY),
    deployment: given(env.PARTNER_HIRING_DEPLOYMENT),
    portalPathFile: `${databaseFile}.portal`,
    host: readHost(env),
    port: readPort(env, 'PORT', 3000),
    receiverPort: readPort(env, 'RECEIVER_PORT', 3001),
    webhookUrl: readUrl(env, 'WEBHOOK_URL'),
    sandboxWebhookUrl: readUrl(env, 'SANDBOX_WEBHOOK_URL'),
  };
}

/** The maximum length of an endpoint URL in the library. */
const MAX_URL_LENGTH = 2_048;

/** An empty variable counts as unset. */
export function given(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}

/** A URL of a database, also in quotes or as settings. The errors of these variables never repeat a value: it may be a secret. */
const ADDRESS = /^\s*["'`]|^\s*[a-z][\w+.-]+:|:\/|=|:[^/\\]*@/i;

function readFile(env: Environment, name: string): string | null {
  const text = given(env[name]);
  if (text === null || !ADDRESS.test(text)) return text;
  throw new SetupError(`${name} must be the path of a SQLite file, such as data/partner-hiring.sqlite.`);
}

/** Returns the address to listen on. */
export function readHost(env: Environment): string {
  const text = given(env.HOST) ?? '127.0.0.1';
  if (/^[\w.:-]+$/.test(text)) return text;
  throw new SetupError('HOST must be an address or a name of this machine, such as 0.0.0.0.');
}

function readUrl(env: Environment, name: string): string | null {
  const text = given(env[name]);
  if (text === null) return null;
  const length = URL.canParse(text) ? new URL(text).href.length : [...text].length;
  if (length > MAX_URL_LENGTH) {
    throw new SetupError(`${name} must be a URL of at most ${MAX_URL_LENGTH} characters. It has ${length}.`);
  }
  if (!/^https?:/i.test(text) || !URL.canParse(text)) {
    throw new SetupError(`${name} must be a complete URL, such as https://ats.example.org/webhooks.`);
  }
  const { username, password } = new URL(text);
  // Does not print the credentials.
  if (username !== '' || password !== '') {
    throw new SetupError(`${name} must not contain credentials. Remove the part before the @.`);
  }
  return text;
}

/**
 * Reads a port.
 *
 * @throws SetupError if it is invalid.
 */
export function readPort(env: Environment, name: string, standard: number): number {
  const text = given(env[name]);
  if (text === null) return standard;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new SetupError(`${name} must be a number from 0 to 65535, 0 for any free port.`);
}
