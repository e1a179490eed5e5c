interface Area {
  readonly files: RegExp;
  /** Default: `sqlite`. */
  readonly project?: 'postgres';
  readonly tests: readonly string[];
}

/**
 * Areas whose rules the tests must watch, and the tests that watch each one most closely. These take a minute at most, so
 * they run before all others.
 */
export const AREAS: readonly Area[] = [
  {
    files: /^packages\/core\/src\/(?:domain|partner)\//,
    tests: [
      'packages/core/src',
      'test/conformance/sqlite',
      'test/scenarios/endpoints',
      'test/scenarios/states',
    ],
  },
  {
    files: /^packages\/core\/src\/http\//,
    tests: ['packages/core/src/http', 'test/conformance/http-fastify', 'test/scenarios/endpoints'],
  },
  {
    files: /^packages\/core\/src\/worker\//,
    tests: ['packages/core/src/worker', 'test/scenarios/worker'],
  },
  {
    files: /^packages\/core\/src\/operator\//,
    tests: ['packages/core/src/operator', 'test/scenarios/operator', 'test/scenarios/audit'],
  },
  {
    files: /^packages\/postgres\/src\/cells\//,
    project: 'postgres',
    tests: ['test/scenarios/cells'],
  },
  {
    files: /^packages\/storage-kysely\/src\//,
    tests: ['packages/storage-kysely/src', 'packages/sqlite/src', 'test/conformance/sqlite'],
  },
];

/** Tests to run together. */
export interface TestGroup {
  readonly project: 'sqlite' | 'postgres';
  /** The beginnings of their paths. */
  readonly tests: readonly string[];
}

/** Returns the tests beside the file, then those of its area. */
export function nearTests(file: string): readonly TestGroup[] {
  const beside = file.replace(/\.tsx?$/, '.');
  const near = AREAS.filter(({ files }) => files.test(file)).map(
    (area): TestGroup => ({ project: area.project ?? 'sqlite', tests: area.tests }),
  );
  return [{ project: 'sqlite', tests: [beside] }, ...near];
}
