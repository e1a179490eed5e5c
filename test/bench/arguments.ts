import { parseArgs } from 'node:util';

/** What a command line of the benchmarks asks for. */
export type BenchArguments =
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string }
  | {
      readonly kind: 'run';
      /** The suites in their order; all of them where none is named. */
      readonly suites: readonly string[];
      readonly isQuick: boolean;
      /** What a measurement must have in its name; empty for all. */
      readonly only: string;
      /** Another checkout, built, for the suite that measures against it; null without one. */
      readonly against: string | null;
      /** The size of the database, for the suites that take one; null for their own. */
      readonly rows: number | null;
    };

/** This suite needs `--against`, and runs only if it is named. */
const EARLIER = 'earlier';

const OPTIONS = {
  quick: { type: 'boolean' },
  only: { type: 'string' },
  against: { type: 'string' },
  rows: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the arguments: names of suites and options, in any order. */
export function readArguments(args: readonly string[], suites: readonly string[]): BenchArguments {
  const parsed = parse(args);
  if (parsed instanceof Error) return { kind: 'wrong', message: parsed.message };
  const { values, positionals } = parsed;
  if (values.help === true) return { kind: 'help' };
  const stranger = positionals.find((name) => !suites.includes(name));
  if (stranger !== undefined) {
    return { kind: 'wrong', message: `"${stranger}" is none of ${suites.join(', ')}.` };
  }
  if (positionals.includes(EARLIER) !== (values.against !== undefined)) {
    return { kind: 'wrong', message: `"${EARLIER}" and --against <folder> need each other.` };
  }
  if (values.rows !== undefined && !/^[1-9]\d{2,8}$/.test(values.rows)) {
    return { kind: 'wrong', message: '--rows must be a number from 100 to 999999999.' };
  }
  const asked = positionals.length > 0 ? positionals : suites.filter((name) => name !== EARLIER);
  return {
    kind: 'run',
    suites: suites.filter((name) => asked.includes(name)),
    isQuick: values.quick === true,
    only: values.only ?? '',
    against: values.against ?? null,
    rows: values.rows === undefined ? null : Number(values.rows),
  };
}

/** What `--help` prints. */
export function usage(suites: readonly string[]): string {
  return `Ratios against named baselines.

Usage: npm run bench -- [suite...] [options]

  suite               ${suites.join(', ')}; without one, all of them except ${EARLIER}
  --quick             Small: shows that the benchmarks work, and no figure worth quoting
  --only <text>       Only the measurements with this text in their names
  --against <folder>  For ${EARLIER}: the root of another checkout whose benchmarks are built
  --rows <n>          For find and sizing: the number of applications, e.g. 5000000
  --help              Print this`;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
