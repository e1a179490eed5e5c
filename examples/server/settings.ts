import { dirname, join, resolve } from 'node:path';
import { SetupError } from './setup-error.js';

/** Where the example keeps and serves things. */
export interface Settings {
  readonly databaseFile: string;
  /** Where fetched résumés are stored. */
  readonly resumeFolder: string;
  /** Where the bundled receiver keeps its signing secrets, as a partner would on its own side. */
  readonly receiverSecretsFile: string;
  /** Where the sealing key lies, unless `secretKey` is given. */
  readonly secretKeyFile: string;
  readonly secretKey: string | null;
  readonly host: string;
  readonly port: number;
  readonly receiverPort: number;
  /** A receiver of your own; null starts the bundled one. Taken at the first start. */
  readonly webhookUrl: string | null;
  /** Where the sandbox key's webhooks go, if elsewhere. Taken at the first start. */
  readonly sandboxWebhookUrl: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings; everything has a default.
 *
 * @throws SetupError for a port or a URL that is none, or a URL that carries credentials or is too long.
 */
export function readSettings(env: Environment): Settings {
  const databaseFile = resolve(given(env.DATABASE_FILE) ?? 'data/partner-hiring.sqlite');
  return {
    databaseFile,
    resumeFolder: join(dirname(databaseFile), 'resumes'),
    receiverSecretsFile: `${databaseFile}.receiver`,
    secretKeyFile: `${databaseFile}.key`,
    secretKey: given(env.SECRET_KEY),
    host: given(env.HOST) ?? '127.0.0.1',
    port: readPort(env, 'PORT', 3000),
    receiverPort: readPort(env, 'RECEIVER_PORT', 3001),
    webhookUrl: readUrl(env, 'WEBHOOK_URL'),
    sandboxWebhookUrl: readUrl(env, 'SANDBOX_WEBHOOK_URL'),
  };
}

/** What the library takes for an endpoint. */
const MAX_URL_LENGTH = 2_048;

/** A variable that is set to nothing is not set. */
export function given(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}

function readUrl(env: Environment, name: string): string | null {
  const text = given(env[name]);
  if (text === null) return null;
  const { length } = [...text];
  if (length > MAX_URL_LENGTH) {
    throw new SetupError(`${name} must be a URL of at most ${MAX_URL_LENGTH} characters. It has ${length}.`);
  }
  if (!/^https?:/i.test(text) || !URL.canParse(text)) {
    throw new SetupError(
      `${name} must be a whole URL, such as https://ats.example.org/webhooks. It is ${text}.`,
    );
  }
  const { username, password } = new URL(text);
  // Not repeated: a terminal keeps what it shows.
  if (username !== '' || password !== '') {
    throw new SetupError(`${name} must not carry credentials. Take out what is before its @.`);
  }
  return text;
}

/**
 * Reads a port.
 *
 * @throws SetupError for what is none.
 */
export function readPort(env: Environment, name: string, standard: number): number {
  const text = given(env[name]);
  if (text === null) return standard;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new SetupError(`${name} must be a number from 0 to 65535, 0 for any free port. It is ${text}.`);
}
