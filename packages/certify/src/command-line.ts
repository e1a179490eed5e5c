import { parseArgs } from 'node:util';
import { isError } from './is-error.js';
import type { CertifyOptions } from './options.js';

export type CommandLine =
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string }
  | { readonly kind: 'certify'; readonly options: CertifyOptions; readonly json: boolean };

export const HELP = `Certifies a receiver of partner hiring webhooks. Sends deliveries that it must accept or reject.

Usage: certify <url> --secret whsec_... [options]

  <url>                  https, or http on this machine. Nothing is sent elsewhere
  --secret <secret>      The signing secret, or two with a comma during a rotation
  --old-secret <secret>  A secret whose overlap has ended; the receiver must reject it
  --timeout <seconds>    Timeout of a response; default 30, like the service
  --json                 Print the report as JSON
  --help                 Print this help

WEBHOOK_SECRET and OLD_WEBHOOK_SECRET replace the two options and keep secrets out of the shell's history.
NO_COLOR disables colors.

The events describe made-up jobs and applications, but the receiver stores them like real ones. Their ids begin with
evt_0000000000.

Exit codes: 0 passed, 1 failed, 2 invalid usage or no receiver at the URL.`;

const OPTIONS = {
  secret: { type: 'string', multiple: true },
  'old-secret': { type: 'string', multiple: true },
  timeout: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Parses the arguments. Takes secrets from environment variables if the arguments have none. */
export function readCommandLine(args: readonly string[], env: Readonly<NodeJS.ProcessEnv>): CommandLine {
  const parsed = parse(args);
  if (isError(parsed)) return wrong(problemOf(parsed));
  const { values, positionals } = parsed;
  if (values.help === true) return { kind: 'help' };

  const [url, ...more] = positionals;
  if (url === undefined) return wrong('The URL of the receiver is missing: pass it as the first argument.');
  if (more.length > 0) return wrong('Pass only one URL.');
  const secret = listed(values.secret ?? [env.WEBHOOK_SECRET ?? '']);
  if (secret.length === 0)
    return wrong('The signing secret is missing: pass --secret or set WEBHOOK_SECRET.');
  const timeoutMs = Number(values.timeout ?? 30) * 1_000;
  if (!(timeoutMs > 0)) return wrong('--timeout must be a number of seconds greater than 0.');
  const oldSecret = listed(values['old-secret'] ?? [env.OLD_WEBHOOK_SECRET ?? '']);
  return { kind: 'certify', options: { url, secret, oldSecret, timeoutMs }, json: values.json === true };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    return isError(error) ? error : new Error(String(error));
  }
}

/** A word that may be repeated: it is no secret. */
const NAME = /^Unknown option '(--?[a-z-]{1,24})'/;

/** Returns what is wrong, without a value: it may be a secret in the wrong place. */
function problemOf(error: Error): string {
  if (!error.message.startsWith('Unknown option')) return error.message;
  const [, name] = NAME.exec(error.message) ?? [];
  return name === undefined ? 'Unknown option.' : `Unknown option ${name}.`;
}

function listed(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text.trim() !== '');
}

function wrong(message: string): CommandLine {
  return { kind: 'wrong', message };
}
