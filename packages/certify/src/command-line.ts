import { parseArgs } from 'node:util';
import type { CertifyOptions } from './options.js';

/** What a command line asks for. */
export type CommandLine =
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string }
  | { readonly kind: 'certify'; readonly options: CertifyOptions; readonly json: boolean };

/** What `--help` prints. */
export const HELP = `Certifies a receiver of partner hiring webhooks: sends what it must take and what it must refuse.

Usage: certify <url> --secret whsec_... [options]

  <url>                  https, or http on this machine; nothing is sent anywhere else
  --secret <secret>      The signing secret; two, with a comma between, while one replaces the other
  --old-secret <secret>  One whose overlap has ended: it must be refused
  --timeout <seconds>    What an answer may take; 30, as with the service
  --json                 Print the report as JSON
  --help                 Print this

WEBHOOK_SECRET and OLD_WEBHOOK_SECRET stand for the two options where these are left out: so secrets stay out of
the shell's history. NO_COLOR leaves the colours out.

The events are about things that exist nowhere, but the receiver will store them as any other: their ids begin
with evt_0000000000.

Exit codes: 0 passed, 1 something to mend was found, 2 wrong usage or no receiver at the URL.`;

const OPTIONS = {
  secret: { type: 'string', multiple: true },
  'old-secret': { type: 'string', multiple: true },
  timeout: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the arguments, with what the environment has in the place of secrets that are left out. */
export function readCommandLine(args: readonly string[], env: Readonly<NodeJS.ProcessEnv>): CommandLine {
  const parsed = parse(args);
  if (parsed instanceof Error) return wrong(parsed.message);
  const { values, positionals } = parsed;
  if (values.help === true) return { kind: 'help' };

  const [url, ...more] = positionals;
  if (url === undefined) return wrong('The URL of the receiver is missing.');
  if (more.length > 0) return wrong('There is more than one URL.');
  const secret = listed(values.secret ?? [env.WEBHOOK_SECRET ?? '']);
  if (secret.length === 0) return wrong('The signing secret is missing: --secret, or WEBHOOK_SECRET.');
  const timeoutMs = Number(values.timeout ?? 30) * 1_000;
  if (!(timeoutMs > 0)) return wrong('--timeout must be a number of seconds, more than 0.');
  const oldSecret = listed(values['old-secret'] ?? [env.OLD_WEBHOOK_SECRET ?? '']);
  return { kind: 'certify', options: { url, secret, oldSecret, timeoutMs }, json: values.json === true };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Secrets, each by itself or with commas between. */
function listed(texts: readonly string[]): readonly string[] {
  return texts
    .flatMap((text) => text.split(','))
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');
}

function wrong(message: string): CommandLine {
  return { kind: 'wrong', message };
}
