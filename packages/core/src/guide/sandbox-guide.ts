import { SANDBOX_ADDRESSES, SANDBOX_DOMAIN } from '../domain/sandbox-address.js';
import { SANDBOX_JOB_NAMES, SANDBOX_JOBS } from '../domain/sandbox-jobs.js';
import { SANDBOX_AWAY_MS, SANDBOX_LEAVES_AFTER_MS, SANDBOX_STAGE_MS } from '../domain/sandbox-step.js';
import { SECOND_MS } from '../domain/time.js';
import { WIRE_ERRORS, type WireErrorCode } from '../errors.js';
import type { Guide, GuideRow } from './page.js';
import { HTML_HEADERS, toHtml, toMarkdown } from './page.js';

/** What a partner finds in its sandbox: the tables that the sandbox itself goes by. */
export interface SandboxCatalogue {
  readonly addresses: readonly { readonly address: string; readonly about: string }[];
  /** `id` ends where the part of the key's own begins. */
  readonly jobs: readonly { readonly id: string; readonly title: string; readonly about: string }[];
  readonly errors: readonly { readonly code: string; readonly status: number; readonly how: string }[];
}

/** How each error is met on purpose in a sandbox. An identifier that ends in `…` is one of the key's own. */
const SANDBOX_ERRORS: Readonly<Record<WireErrorCode, string>> = {
  IDEMPOTENCY_KEY_REQUIRED: 'Submit without `Idempotency-Key`.',
  IDEMPOTENCY_KEY_REUSED: 'Submit; then another candidate with the same `Idempotency-Key`.',
  VALIDATION_ERROR: 'Submit without `consentToContact`, or to `job_sandbox_form_…` without answers.',
  JOB_NOT_FOUND: 'Submit to `job_sandbox_none`.',
  JOB_CLOSED: 'Submit to `job_sandbox_internal_…`.',
  ACCESS_REVOKED: 'Submit to `job_sandbox_former_…`.',
  DUPLICATE_SOURCE_APPLICATION_ID:
    'Submit with a `sourceApplicationId`; then another candidate with the same one and a new `Idempotency-Key`.',
  RATE_LIMITED:
    'Submit `rate-limited@sandbox.example` for the scope `partner_company`, ' +
    '`rate-limited-partner@sandbox.example` for `partner`; or go over a limit: eleven candidates in a minute.',
  UNAUTHORIZED: 'Call with a character of the key changed, or without one.',
  APPLICATION_NOT_FOUND: 'Read `ej_app_none`.',
  IDEMPOTENCY_KEY_IN_PROGRESS: 'Submit `in-progress@sandbox.example`.',
  NOT_FOUND: 'Call a path that is not there, such as `/candidates`.',
  METHOD_NOT_ALLOWED: 'Send `DELETE` to `/jobs`.',
  PAYLOAD_TOO_LARGE:
    'Submit a body that is larger than the service takes: 256 KiB unless the host says otherwise.',
  UNSUPPORTED_MEDIA_TYPE: 'Submit with `Content-Type: text/plain`.',
  INTERNAL_ERROR: 'Submit `internal-error@sandbox.example`.',
  SERVICE_UNAVAILABLE:
    'Submit `unavailable@sandbox.example`, or `lost-reply@sandbox.example`, which is recorded.',
};

/** What a partner finds in its sandbox, as data: for a host that shows it in a page of its own. */
export const SANDBOX_CATALOGUE: SandboxCatalogue = {
  addresses: Object.entries(SANDBOX_ADDRESSES).map(([name, { about }]) => ({
    address: `${name}@${SANDBOX_DOMAIN}`,
    about,
  })),
  jobs: SANDBOX_JOB_NAMES.map((name) => {
    const { title, about } = SANDBOX_JOBS[name];
    return { id: `job_sandbox_${name}_`, title, about };
  }),
  errors: (Object.keys(WIRE_ERRORS) as readonly WireErrorCode[]).map((code) => ({
    code,
    status: WIRE_ERRORS[code].status,
    how: SANDBOX_ERRORS[code],
  })),
};

/** What a partner finds in its sandbox, as a page in Markdown. */
export function sandboxMarkdown(): string {
  return toMarkdown(GUIDE);
}

/**
 * Returns the same as a page in HTML that loads nothing: serve it to partners, with `SANDBOX_PAGE_HEADERS`.
 *
 * @example
 * ```ts
 * app.get('/sandbox', (_request, reply) => reply.headers(SANDBOX_PAGE_HEADERS).send(sandboxPage()));
 * ```
 */
export function sandboxPage(): string {
  return toHtml(GUIDE);
}

/**
 * The header fields of `sandboxPage()`: its type, `nosniff`, and a content security policy that allows the style of the
 * page and nothing else.
 */
export const SANDBOX_PAGE_HEADERS: Readonly<
  Record<'Content-Type' | 'Content-Security-Policy' | 'X-Content-Type-Options', string>
> = HTML_HEADERS;

const STAGE = seconds(SANDBOX_STAGE_MS);
const LEAVES_AFTER = seconds(SANDBOX_LEAVES_AFTER_MS);
const AWAY = seconds(SANDBOX_AWAY_MS);

const GUIDE: Guide = {
  title: 'The sandbox',
  blocks: [
    text(
      'With a sandbox key (`pek_test_…`) everything works as in production, and nothing is real: the same endpoints, limits and errors, and webhooks that are really sent, to the endpoint of your sandbox key. Nobody is contacted, and nothing of it can be seen with another key.',
    ),
    text('Set the base address and your sandbox key, and hire somebody:'),
    shell(
      'AUTH="Authorization: Bearer $KEY"',
      `OPEN=$(curl -s "$BASE/jobs" -H "$AUTH" | grep -o 'job_sandbox_open_[A-Za-z0-9_-]*' | head -1)`,
      `curl -sw '\\n' "$BASE/applications" -H "$AUTH" -H "Content-Type: application/json" \\`,
      '  -H "Idempotency-Key: $(node -p "crypto.randomUUID()")" -d \'{',
      `    "jobId": "'$OPEN'",`,
      '    "candidate": { "firstName": "Ada", "lastName": "Reyes",',
      `      "email": "accepted+ada@${SANDBOX_DOMAIN}", "phone": "+14155550123" },`,
      '    "consentToContact": true }\'',
    ),
    text('Some seconds later the webhook has arrived, and the application is `accepted`:'),
    shell(
      `until curl -s "$BASE/applications?status=accepted" -H "$AUTH" | grep ej_app_; do`,
      '  sleep 1',
      'done',
    ),
    heading('Magic addresses'),
    text(
      `What happens to a candidate follows from the e-mail address. Put a plus sign and whatever an e-mail address may hold before the at sign to tell candidates apart: \`accepted+ada@${SANDBOX_DOMAIN}\`. Each stage lasts about ${STAGE}. Candidates with any other address stay \`received\` until the host moves them. A name at \`${SANDBOX_DOMAIN}\` that is not listed is refused with \`VALIDATION_ERROR\`.`,
    ),
    table(
      ['Address', 'What happens'],
      SANDBOX_CATALOGUE.addresses.map(({ address, about }) => [code(address), about]),
    ),
    heading('Your jobs'),
    text(
      'Your key has companies and jobs of its own. Their identifiers end with a part of your own, so that from one of `GET /jobs` you know the others, also those that are not listed: put another name in place of `open`.',
    ),
    table(
      ['Job', 'What it is for'],
      SANDBOX_CATALOGUE.jobs.map(({ id, about }) => [code(`${id}…`), about]),
    ),
    text(
      `A job that leaves does so about ${LEAVES_AFTER} after an application to it, and is back, with \`job.opened\`, about ${AWAY} later. Tests that run side by side had better use those that stay as they are.`,
    ),
    heading('Every error'),
    table(
      ['Status', 'Code', 'How to meet it'],
      SANDBOX_CATALOGUE.errors.map(
        ({ status, code: name, how }): GuideRow => [String(status), code(name), how],
      ),
    ),
    text(
      'The errors of magic addresses come once the fields are valid, and record nothing; only `lost-reply` does. They come every time: to see a limit end, go over a real one.',
    ),
  ],
};

function heading(value: string) {
  return { kind: 'heading', text: value } as const;
}

function text(value: string) {
  return { kind: 'text', text: value } as const;
}

function shell(...lines: readonly string[]) {
  return { kind: 'shell', text: lines.join('\n') } as const;
}

function table(columns: readonly string[], rows: readonly GuideRow[]) {
  return { kind: 'table', columns, rows } as const;
}

function code(value: string): string {
  return `\`${value}\``;
}

function seconds(ms: number): string {
  const count = ms / SECOND_MS;
  return count === 1 ? 'a second' : `${count} seconds`;
}
