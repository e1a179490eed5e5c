/**
 * Areas whose rules the tests must watch, and the tests that watch each one most closely. These take a minute at most, so
 * they run before all others.
 */
export const AREAS: readonly { readonly files: RegExp; readonly tests: readonly string[] }[] = [
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
    files: /^packages\/storage-kysely\/src\//,
    tests: ['packages/storage-kysely/src', 'packages/sqlite/src', 'test/conformance/sqlite'],
  },
];

/** Returns the beginnings of test paths in two groups: the tests beside the file, then those of its area. */
export function nearTests(file: string): readonly (readonly string[])[] {
  const beside = file.replace(/\.tsx?$/, '.');
  return [[beside], ...AREAS.filter(({ files }) => files.test(file)).map(({ tests }) => tests)];
}
