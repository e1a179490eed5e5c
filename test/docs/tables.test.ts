/** Writes the errors of the reference from the code's table, and compares its other tables with the code in both directions. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WEBHOOK_TIMEOUT_MS } from '../../packages/core/src/defaults/safe-transport.js';
import { BOOTSTRAP_MS } from '../../packages/core/src/domain/access.js';
import { EMAIL_LOCAL_PART_MAX } from '../../packages/core/src/domain/email-address.js';
import { PAUSE_AFTER_DARK_MS, PAUSE_AFTER_FAILURES } from '../../packages/core/src/domain/endpoint.js';
import { BASIC_FIELD_ERROR_CODES, ENDPOINT_ERROR_CODES } from '../../packages/core/src/domain/field-error.js';
import { IDEMPOTENCY_TTL_MS, IDEMPOTENCY_WAIT_MS } from '../../packages/core/src/domain/idempotency.js';
import { PAGE_LIMIT } from '../../packages/core/src/domain/page.js';
import { DEFAULT_OVERLAP_MS } from '../../packages/core/src/domain/partner-key.js';
import { BOOTSTRAP_FACTOR, type BucketKind, RATE_LIMITS } from '../../packages/core/src/domain/rate-limit.js';
import { ATTEMPT_DELAYS_MS, JITTER, MAX_ATTEMPTS } from '../../packages/core/src/domain/retry-schedule.js';
import { SIGNATURE_TOLERANCE_SECONDS } from '../../packages/core/src/domain/signature.js';
import { HOUR_MS, SECOND_MS } from '../../packages/core/src/domain/time.js';
import { WIRE_ERRORS, type WireErrorCode } from '../../packages/core/src/domain/wire-errors.js';
import {
  RESUME_MAX_BYTES,
  RESUME_TIMEOUT_MS,
} from '../../packages/core/src/features/resumes/defaults/resume-source.js';
import {
  DEFAULT_BODY_TIMEOUT_MS,
  DEFAULT_MAX_BODY_BYTES,
  DEFAULT_MAX_IN_FLIGHT_PER_KEY,
} from '../../packages/core/src/http/handler.js';
import { ROOT, readPage, withRows } from './fences.js';

const PAGE = readPage('docs/errors-and-limits.md');
const { schemas: SCHEMAS } = (
  JSON.parse(readFileSync(`${ROOT}docs/openapi.json`, 'utf8')) as {
    readonly components: { readonly schemas: Readonly<Record<string, Described>> };
  }
).components;

/** The rows of the table whose first column has this name. */
function rowsOf(head: string): readonly (readonly string[])[] {
  const lines = PAGE.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head} `));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const inHours = (ms: number) => `${Math.round(ms / HOUR_MS)} hours`;
const inSeconds = (ms: number) => `${ms / SECOND_MS} seconds`;

test('lists every error, as the table of the code has it', async () => {
  // After a change: npx vitest run test/docs/tables.test.ts --update
  const rows = Object.entries(WIRE_ERRORS)
    .toSorted(([, one], [, other]) => one.status - other.status)
    .map(([code, { status, meaning, sendAgain }]) => [`${status}`, `\`${code}\``, meaning, sendAgain]);
  const written = withRows(PAGE, 'Status', rows).replaceAll(
    /(?<="error": "(\w+)",\n {2}"message": )".*"/g,
    (_, code: WireErrorCode) => JSON.stringify(WIRE_ERRORS[code].message),
  );
  await expect(written).toMatchFileSnapshot(`${ROOT}docs/errors-and-limits.md`);
});

test('cites the rule of the contract that names the error', () => {
  const contract = readPage('docs/contract.md').split('\n');
  for (const [code, { status, contract: rule }] of Object.entries(WIRE_ERRORS)) {
    const row = contract.find((line) => line.startsWith(`**${rule}** `));
    expect([code, row]).toEqual([code, expect.stringContaining(`\`${code}\``)]);
    expect(row).toContain(` ${status} `);
  }
});

test('lists every field code once', () => {
  const codesOf = (head: string) => rowsOf(head).map(([code]) => code);
  const written = (codes: readonly string[]) => codes.map((code) => `\`${code}\``).sort();
  expect(codesOf('`code`').sort()).toEqual(written(BASIC_FIELD_ERROR_CODES));
  expect(codesOf('`code` of `/webhook-endpoint`').sort()).toEqual(written(ENDPOINT_ERROR_CODES));
});

/** The first cell of each bucket's row. */
const BUCKETS: Readonly<Record<BucketKind, string>> = {
  submit_application: '`POST /applications`',
  read_application: '`GET /applications/{id}`',
  list_applications: '`GET /applications`',
  list_jobs: '`GET /jobs`',
  list_events: '`GET /events`, if the operator offers it',
  webhook_endpoint: 'all of `/webhook-endpoint`, if the operator offers it',
  guard:
    'other requests: refused submissions, unknown endpoints, replays, and each 429 after the first in a minute',
  failed_authentication: 'requests without a valid key',
};

test('lists every rate limit', () => {
  const shown = Object.fromEntries(rowsOf('Operation').map(([name, limit]) => [name, limit]));
  const { submit_application: submit } = RATE_LIMITS;
  const expected = Object.entries(BUCKETS).map(([kind, name]) => [
    name,
    String(RATE_LIMITS[kind as BucketKind]),
  ]);
  const withBootstrap = {
    '`POST /applications`': `${submit}, or ${submit * BOOTSTRAP_FACTOR} in bootstrap mode`,
  };
  expect(shown).toEqual({ ...Object.fromEntries(expected), ...withBootstrap });
});

test('lists every size and time', () => {
  const { min, max } = lengths('candidate', 'firstName');
  const longest = (...path: readonly string[]) => `${lengths(...path).max} characters`;
  const id = lengths('sourceApplicationId');
  const span = ATTEMPT_DELAYS_MS.reduce((sum, delay) => sum + delay, 0);
  expect(lengths('candidate', 'lastName')).toEqual({ min, max });
  expect(Object.fromEntries(rowsOf('What').map(([what, limit]) => [what, limit]))).toEqual({
    '`limit` of a list': `${PAGE_LIMIT.default} by default; more than ${PAGE_LIMIT.max} counts as ${PAGE_LIMIT.max}`,
    '`candidate.firstName`, `candidate.lastName`': `${min} to ${max} characters`,
    '`candidate.email`': `${longest('candidate', 'email')}, ${EMAIL_LOCAL_PART_MAX} of them before the at sign`,
    '`candidate.phone`': longest('candidate', 'phone'),
    '`jobId`': longest('jobId'),
    '`source`': longest('source'),
    '`sourceApplicationId`': `${id.min} to ${id.max} characters`,
    'body of a submission': `${DEFAULT_MAX_BODY_BYTES / 1024} KiB by default`,
    résumé: `${RESUME_MAX_BYTES / 1024 / 1024} MiB, fetched within ${inSeconds(RESUME_TIMEOUT_MS)} over at most five redirects`,
    'time for a body to arrive': `${DEFAULT_BODY_TIMEOUT_MS / 1_000} seconds by default; then 503`,
    'concurrent requests of a key': `${DEFAULT_MAX_IN_FLIGHT_PER_KEY} in each process by default; then 429 with \`Retry-After: 1\``,
    'binding of an idempotency key by a 201': inHours(IDEMPOTENCY_TTL_MS),
    'wait of a second request with the same key': inSeconds(IDEMPOTENCY_WAIT_MS),
    'bootstrap mode': inHours(BOOTSTRAP_MS),
    'answer to a webhook': `within ${inSeconds(WEBHOOK_TIMEOUT_MS)}`,
    'attempts of a delivery': `${MAX_ATTEMPTS}, over ${inHours(span)}, each delay ${JITTER * 100}% more or less`,
    'age of a signature, either way': `${SIGNATURE_TOLERANCE_SECONDS} seconds`,
    'failures in a row that pause an endpoint': String(PAUSE_AFTER_FAILURES),
    'time with failures only that pauses an endpoint': inHours(PAUSE_AFTER_DARK_MS),
    'validity of a replaced secret': `${inHours(DEFAULT_OVERLAP_MS)} by default`,
  });
});

interface Described {
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Described>>;
}

function property(schema: string, ...path: readonly string[]): Described {
  let found: Described | undefined = SCHEMAS[schema];
  for (const name of path) found = found?.properties?.[name];
  if (found === undefined) throw new Error(`docs/openapi.json describes no ${[schema, ...path].join('.')}.`);
  return found;
}

function lengths(...path: readonly string[]) {
  const { minLength: min, maxLength: max } = property('Submission', ...path);
  return { min, max };
}
