/** Counts of things that readers must learn. They grow only by a signature: `npm run sizes -- --sign`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OPERATOR_COMMANDS } from '@partner-hiring/core';
import { sharedNamesIn, textsOfSources } from '../../architecture/names.js';
import { operatorMethods } from '../../architecture/operator-methods.js';
import { openPublicSurface } from '../../architecture/published.js';
import { ROOT } from '../../architecture/sources.js';

/** Where the counts are signed. */
export const COUNTS_FILE = fileURLToPath(new URL('../../architecture/counts.json', import.meta.url));

/** How far a count may fall below its signature: what was saved is no allowance for later. */
const ALLOWANCES = {
  /** The commands of the operator. */
  commands: 0,
  /** How often files name commands, each with its definition. A command that was made of two has the files of both. */
  mentionsOfCommands: 10,
  /**
   * The names that hosts and storages import from core. A host writes a result's type as `ResultOf<'jobs.list'>`, so a type
   * needs an export only if somebody has to write its name.
   */
  namesOfCore: 10,
  /** The names that several files define, private ones included. */
  sharedNames: 10,
} as const;

export interface Counts {
  readonly counts: Readonly<Record<keyof typeof ALLOWANCES, number>>;
  /** The first words of the commands. Readers guess from these. */
  readonly verbs: readonly string[];
}

/** Counts the repository as it is. */
export function measureCounts(): Counts {
  const surface = openPublicSurface();
  const entries = ['packages/core/src/index.ts', 'packages/core/src/ports/index.ts'];
  const methods = [...operatorMethods(surface).values()];
  return {
    counts: {
      commands: OPERATOR_COMMANDS.length,
      mentionsOfCommands: countMentions(),
      namesOfCore: new Set(entries.flatMap((entry) => surface.exportsOf(entry).map(({ name }) => name))).size,
      sharedNames: sharedNamesIn(textsOfSources()).length,
    },
    verbs: [...new Set(methods.map(({ name }) => verbOf(name)))].sort(),
  };
}

/** Returns the first word of a command. */
export function verbOf(method: string): string {
  return /^[a-z]+/.exec(method)?.[0] ?? '';
}

export function readCounts(): Counts {
  return JSON.parse(readFileSync(COUNTS_FILE, 'utf8')) as Counts;
}

/** Returns a sentence for each count that is larger than its signature or much smaller, and for each verb that is new or gone. */
export function complaintsAboutCounts(measured: Counts, signed: Counts): readonly string[] {
  const sign = 'run `npm run sizes -- --sign`, and say in the commit what it is for.';
  const names = Object.keys(ALLOWANCES) as (keyof typeof ALLOWANCES)[];
  return [
    ...names.flatMap((name) => {
      const [count, most] = [measured.counts[name], signed.counts[name]];
      if (count > most) return [`${name} has grown to ${count}, and ${most} are signed: ${sign}`];
      return count < most - ALLOWANCES[name]
        ? [`${name} has fallen to ${count}, and ${most} are signed: run \`npm run sizes\`.`]
        : [];
    }),
    ...without(measured.verbs, signed.verbs).map((verb) => `The verb ${verb} is new: ${sign}`),
    ...without(signed.verbs, measured.verbs).map(
      (verb) => `No command starts with ${verb}: run \`npm run sizes\`.`,
    ),
  ];
}

/** Returns the signatures, lower where a count has fallen, and without verbs that are gone. Raises none. */
export function loweredCounts(measured: Counts, signed: Counts): Counts {
  const counts = Object.entries(measured.counts).map(([name, count]) => [
    name,
    Math.min(count, signed.counts[name as keyof typeof ALLOWANCES]),
  ]);
  return {
    counts: Object.fromEntries(counts),
    verbs: signed.verbs.filter((verb) => measured.verbs.includes(verb)),
  };
}

function without(verbs: readonly string[], others: readonly string[]): readonly string[] {
  return verbs.filter((verb) => !others.includes(verb));
}

/** Sources, tests and docs that people write, from the project's root. */
export const TEXTS = ['packages', 'test', 'docs', 'examples'].flatMap(textsIn);

function textsIn(folder: string): readonly { readonly file: string; readonly text: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|mjs|md)$/.test(file) && !/node_modules|[\\/]dist[\\/]|api-report/.test(file))
    .map((file) => ({ file: join(folder, file), text: readFileSync(join(ROOT, folder, file), 'utf8') }));
}

/** Returns whether a text names a command as data, such as `'keys.rotate'`. A call is no name. */
export function mentions(text: string, command: string): boolean {
  return [`'${command}'`, `"${command}"`, `\`${command}\``].some((name) => text.includes(name));
}

function countMentions(): number {
  const files = OPERATOR_COMMANDS.map(
    ({ name }) => 1 + TEXTS.filter(({ text }) => mentions(text, name)).length,
  );
  return files.reduce((sum, each) => sum + each, 0);
}
