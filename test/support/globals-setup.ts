import { afterAll, expect } from 'vitest';

/**
 * The globals that a fake clock replaces. Each test file must restore them, because later files share its
 * process.
 */
const CLOCK = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'] as const;

const found = CLOCK.map((name) => globalThis[name]);

/** Where `@opentelemetry/api` keeps what is registered. Later files cannot register theirs while this is there. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

// A spy on a fake timer puts that timer back when the spy is restored. If the real clock is already back by
// then, later test files hang.
afterAll(() => {
  const left = CLOCK.filter((name, index) => globalThis[name] !== found[index]);
  expect(left, 'are not what they were before this file').toEqual([]);
  const { version, ...registered } =
    (globalThis as { [REGISTERED]?: Record<string, unknown> })[REGISTERED] ?? {};
  expect(Object.keys(registered), 'are still registered with OpenTelemetry').toEqual([]);
});
