/** A valid input for each command: each file of `inputs` has those of its group. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Setting } from './every-command.js';

/** Inputs by the names of commands. */
export type Inputs = Readonly<Record<string, (setting: Setting) => unknown>>;

export const WINDOW = { since: 0, until: 9_000_000_000_000 };

/** Tests call the commands in this order: what removes something comes after what needs it. Other groups follow. */
const ORDER: readonly string[] = [
  'partners',
  'keys',
  'companies',
  'access',
  'jobs',
  'applications',
  'candidates',
  'endpoints',
  'deliveries',
  'events',
  'operations',
  'inbox',
  'timelines',
  'requests',
  'portal',
  'system',
  'sandbox',
  'audit',
];

/** After the last, nothing is sent. */
const LAST: readonly string[] = ['secrets', 'deployment'];

const found = readdirSync(fileURLToPath(new URL('./inputs', import.meta.url))).map((file) =>
  file.replace('.ts', ''),
);
const others = found.filter((group) => ![...ORDER, ...LAST].includes(group)).sort();

/** Returns the inputs of all groups. */
export async function readInputs(): Promise<Inputs> {
  const groups = [...ORDER, ...others, ...LAST].map(
    async (group) => (await import(`./inputs/${group}.ts`)) as { readonly INPUTS: Inputs },
  );
  return Object.assign({}, ...(await Promise.all(groups)).map(({ INPUTS }) => INPUTS));
}
