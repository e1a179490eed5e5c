import type { RuntimeTest } from './check.js';
import { eventTests } from './event-tests.js';
import { fetchTests } from './fetch-tests.js';
import { roundTripTests } from './round-trip-tests.js';
import { setUpTests } from './set-up-tests.js';
import type { Subject } from './subject.js';
import { vectorTests } from './vector-tests.js';

/**
 * The tests for every runtime. They use no Node APIs, so they run in browsers, Deno, Bun
 * and workers.
 */
export function listTests(subject: Subject): readonly RuntimeTest[] {
  return [vectorTests, setUpTests, roundTripTests, eventTests, fetchTests].flatMap((list) => list(subject));
}

/** The result of a test. */
export interface TestResult {
  readonly name: string;
  /** Null if it passed. */
  readonly error: string | null;
}

/** Runs all tests without a test runner. */
export async function runTests(subject: Subject): Promise<readonly TestResult[]> {
  const results: TestResult[] = [];
  for (const { name, run } of listTests(subject)) {
    const error = await run().then(
      () => null,
      (reason: unknown) => String(reason),
    );
    results.push({ name, error });
  }
  return results;
}
