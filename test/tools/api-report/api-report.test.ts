import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { describe, expect, test } from 'vitest';
import { OPERATOR_COMMANDS } from '../../../packages/core/src/features/commands.js';
import { openPublicSurface, publishedPackages } from '../../architecture/published.js';
import { ROOT } from '../../architecture/sources.js';
import { apiReport, reportFileOf, WITHOUT_EXPORT } from './api-report.js';
import { commandRights } from './command-rights.js';
import { namedBy, namesOf, sectionsOf } from './named-types.js';

const surface = openPublicSurface();
const rights = commandRights(surface);

const MADE = `
/** Options of \`start\`. */
export interface Options {
  /**
   * How long to wait, in milliseconds, e.g. 10. Longer is slower. Default: 5.
   */
  readonly waitMs?: number; // not this
  /** What is timed */
  readonly part: {
    /** Its unit. Second sentence. */
    readonly unit: Unit;
  };
  readonly silent: boolean;
}
type Unit = keyof typeof UNITS;
const UNITS = { second: 1 } as const;
/** Measures time. */
export class Timer {
  /** Private. */
  private at = 0;
  /**
   * Returns the time. Twice.
   * @throws OperatorError \`NOT_STARTED\` before \`start\`; \`OVERFLOW\` if the time is
   *   too long. Then start again.
   * @example
   * timer.read();
   */
  read(): number {
    return this.at;
  }
}
export function start(name: string): Timer;
/**
 * Starts a timer.
 * - \`name\`: at once.
 * @throws RangeError if \`waitMs\` is below 0.
 */
export function start(options: Options): Timer;
export function start(): Timer {
  return new Timer();
}
`;

const MORE = `
export { type Options } from '../index.js';
/** The most that there are. */
export const LIMIT = 5;
`;

const REPORT = `# Public API of made

Written by \`npm run api-report\`; a test compares it with the sources.

## \`made\`

\`\`\`ts
/** Measures time. */
class Timer {
    /**
     * Returns the time.
     * Throws \`NOT_STARTED\` before \`start\`; \`OVERFLOW\` if the time is too long.
     */
    read(): number;
}

/**
 * Starts a timer.
 * Throws RangeError if \`waitMs\` is below 0.
 */
const start: { (name: string): Timer; (options: Options): Timer; };

/** Options of \`start\`. */
interface Options {
    /** How long to wait, in milliseconds, e.g. 10. Default: 5. */
    readonly waitMs?: number;
    readonly part: {
        /** Its unit. */
        readonly unit: Unit;
    };
    readonly silent: boolean;
}
\`\`\`

## \`made/more\`

Also here, from \`made\`: \`Options\`.

\`\`\`ts
/** The most that there are. */
const LIMIT: 5;
\`\`\`

## Named above, without an export

\`\`\`ts
type Unit = "second";
\`\`\`
`;

test.each(publishedPackages())(
  'the report of $name shows its public API; if not, run `npm run api-report`',
  (published) => {
    expect(readFileSync(join(ROOT, reportFileOf(published)), 'utf8')).toBe(
      apiReport(published, surface, rights),
    );
  },
);

test('the report of core declares each type that it names, whether a host can import it or not', () => {
  const core = publishedPackages().find(({ name }) => name === '@partner-hiring/core');
  if (core === undefined) throw new Error('Core is not published.');
  const sections = sectionsOf(readFileSync(join(ROOT, reportFileOf(core)), 'utf8'));
  expect(sections.map(({ path }) => path)).toEqual([...core.entries.keys(), WITHOUT_EXPORT]);

  const { checker, source } = surface;
  const entry = core.entries.get(core.name) ?? '';
  const globals = checker.getSymbolsInScope(source(entry), ts.SymbolFlags.Type).map(({ name }) => name);
  const declared = sections.flatMap(namesOf);
  const known = new Set([...globals, ...declared]);
  const named = sections.flatMap(({ declarations }) => declarations.flatMap((each) => [...namedBy(each)]));
  expect([...new Set(named)].filter((name) => !known.has(name)).sort()).toEqual([]);
  expect(declared.length).toBeGreaterThan(500);
  expect(new Set(declared).size).toBe(declared.length);
});

test('the report of core says of each command which right a limited operator needs', () => {
  const report = readFileSync(join(ROOT, 'packages/core/api-report.md'), 'utf8');
  const said = [...report.matchAll(/^ +\* Right(?:: |, by the input: )(.+)\.$/gm)].map(([, right]) => right);
  expect(said).toHaveLength(OPERATOR_COMMANDS.length);
  expect(said).toContain('`jobs:hide`');
  expect(said).toContain('`partners:rename`, `partners:contact`, `partners:disable`');
});

describe('the report of a made package', () => {
  const root = mkdtempSync(join(tmpdir(), 'api-report-'));
  const folder = join(root, 'packages/made');
  mkdirSync(join(folder, 'src/more'), { recursive: true });
  writeFileSync(join(root, 'tsconfig.json'), '{ "compilerOptions": { "strict": true, "types": [] } }');
  const exports = { '.': {}, './more': {} };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'made', exports }));
  writeFileSync(join(folder, 'src/index.ts'), MADE);
  writeFileSync(join(folder, 'src/more/index.ts'), MORE);
  const [made] = publishedPackages(root);
  const report = made === undefined ? '' : apiReport(made, openPublicSurface(root));
  rmSync(root, { recursive: true });

  test('has each export once, the start of each comment, its default and errors, and what has no export', () => {
    expect(report).toBe(REPORT);
  });

  test('is read by section', () => {
    const names = sectionsOf(report).map((section) => [section.path, namesOf(section)]);
    expect(names).toEqual([
      ['made', ['Timer', 'start', 'Options']],
      ['made/more', ['LIMIT']],
      [WITHOUT_EXPORT, ['Unit']],
    ]);
  });
});

test.each([
  ['interface A extends B { }', ['B']],
  ['interface A { b(c: C): Promise<readonly D[]>; }', ['C', 'Promise', 'D']],
  ['type A = Omit<B, "c"> & { readonly d: E | null; };', ['Omit', 'B', 'E']],
  ['type A<T extends B> = T | (typeof CS)[number];', ['B', 'CS']],
  ['const a: <T>(b: T) => C;', ['C']],
])('the report would name what is missing in: %s', (text, named) => {
  const [section] = sectionsOf(`## \`a\`\n\n\`\`\`ts\n${text}\n\`\`\`\n`);
  expect(section?.declarations.flatMap((declaration) => [...namedBy(declaration)])).toEqual(named);
});
