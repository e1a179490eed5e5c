import { COMMON_OPTIONS, type GlobalOptions } from '../command/global-options.js';

/** The options of the program `partner-hiring`. The three switches are named after options of `createPartnerHiring`. */
export const CONNECTION_OPTIONS = {
  database: { value: 'DATABASE', summary: 'A PostgreSQL URL or a SQLite file' },
  schema: { value: 'NAME', summary: 'The schema of the tables in PostgreSQL (default: partner_hiring)' },
  schemas: { value: 'NAMES', summary: 'All schemas of the server, separated by commas, in its order' },
  'sealing-key-file': {
    value: 'FILE',
    summary: 'A file with the key that encrypts signing secrets',
  },
  sandbox: { summary: 'The server has `sandbox: true`' },
  'decide-from-received': { summary: 'The server has `decideFromReceived: true`' },
  'allow-private-networks': { summary: 'The server has `allowPrivateNetworks: true`' },
  ...COMMON_OPTIONS,
} as const satisfies GlobalOptions;

/** Environment variables of the process. */
export type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

/** Returns the first of the variables that has a value. An empty variable counts as unset. */
export function firstVariable(
  env: ProcessEnvironment,
  names: readonly string[],
): { readonly name: string; readonly value: string } | null {
  const found = names.map((name) => ({ name, value: env[name]?.trim() ?? '' }));
  return found.find(({ value }) => value !== '') ?? null;
}

/** Returns the name of the deployment that this process belongs to, as `PARTNER_HIRING_DEPLOYMENT` says. */
export function readDeployment(env: ProcessEnvironment): string | undefined {
  return firstVariable(env, ['PARTNER_HIRING_DEPLOYMENT'])?.value;
}
