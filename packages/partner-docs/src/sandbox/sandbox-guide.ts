import type { Optional, RateLimits, SelfServiceOptions, Support } from '@partner-hiring/core';
import {
  readSupport,
  SANDBOX_AWAY_MS,
  SANDBOX_CATALOGUE,
  SANDBOX_DOMAIN,
  SANDBOX_LEAVES_AFTER_MS,
  SANDBOX_STAGE_MS,
} from '@partner-hiring/core/contract';
import { HTML_HEADERS, htmlPage } from '../html/html-page.js';
import { markdownHtml } from '../html/markdown-html.js';
import { withSupport } from '../pages/support.js';
import { bytes, SECOND_MS } from './amounts.js';
import { readDocsUrl, readGuideOptions } from './guide-options.js';
import type { Guide, GuideRow } from './page.js';
import { toMarkdown } from './page.js';

/** The options of the sandbox guide. */
export interface SandboxGuideOptions {
  /** The address of the API with its base path, for the example commands. Default: partners set it themselves. */
  readonly baseUrl?: string | undefined;
  /**
   * The partner's sandbox key (`pek_test_…`), for the example commands. Show such a page only to this partner. Default:
   * partners set it themselves.
   */
  readonly apiKey?: string | undefined;
  /** Requests per minute, by bucket. Default: the limits of the contract. */
  readonly limits?: Optional<RateLimits> | undefined;
  /** The largest request body, in bytes. Default: 256 KiB. */
  readonly maxBodyBytes?: number | undefined;
  /** What partners may do besides the four routes. Default: nothing. */
  readonly selfService?: Optional<SelfServiceOptions> | undefined;
  /** The URL of the documentation, for example `https://hiring.example.com/partner-docs`. Default: the page has no link to it. */
  readonly docsUrl?: string | undefined;
  /** How partners reach you. Default: the page does not say it. */
  readonly support?: Support | undefined;
}

/**
 * Returns the sandbox guide for partners in Markdown.
 * @throws OperatorError `MISCONFIGURED` if an option is invalid.
 * @example
 * await writeFile('sandbox.md', sandboxMarkdown({ baseUrl: 'https://hiring.example.com/api/v1/external' }));
 */
export function sandboxMarkdown(options: SandboxGuideOptions = {}): string {
  return withSupport(toMarkdown(createGuide(options)), readSupport('sandboxMarkdown', options.support));
}

/**
 * Returns the sandbox guide for partners as a self-contained HTML page. Serve it with `SANDBOX_PAGE_HEADERS`.
 * @throws OperatorError `MISCONFIGURED` if an option is invalid.
 * @example
 * const page = sandboxPage({ baseUrl: 'https://hiring.example.com/api/v1/external' });
 * app.get('/sandbox', (_request, reply) => reply.headers(SANDBOX_PAGE_HEADERS).send(page));
 */
export function sandboxPage(options: SandboxGuideOptions = {}): string {
  const guide = createGuide(options);
  const main = markdownHtml(withSupport(toMarkdown(guide), readSupport('sandboxPage', options.support)));
  return htmlPage({ title: guide.title, menu: menuTo(options.docsUrl), main });
}

function menuTo(docsUrl: string | undefined) {
  if (docsUrl === undefined) return [];
  return [{ title: 'All documentation', href: readDocsUrl(docsUrl), isCurrent: false }];
}

/**
 * The response headers of `sandboxPage()`. Its content security policy allows only its own style and its script for copying.
 * Caches do not store the page, because it may show a key.
 */
export const SANDBOX_PAGE_HEADERS: Readonly<
  Record<'Content-Type' | 'Content-Security-Policy' | 'X-Content-Type-Options' | 'Cache-Control', string>
> = HTML_HEADERS;

const STAGE = seconds(SANDBOX_STAGE_MS);
const LEAVES_AFTER = seconds(SANDBOX_LEAVES_AFTER_MS);
const AWAY = seconds(SANDBOX_AWAY_MS);

function createGuide(options: SandboxGuideOptions): Guide {
  const { baseUrl, apiKey } = readGuideOptions(options);
  const setUp = [
    ...(baseUrl === null ? [] : [`BASE=${baseUrl}`]),
    ...(apiKey === null ? [] : [`KEY=${apiKey}`]),
  ];
  return {
    title: 'The sandbox',
    blocks: [
      text(
        'With a sandbox key (`pek_test_…`) the API works as in production, with simulated jobs and candidates. Endpoints, limits and errors are the same. The service sends real webhooks to the endpoint of your sandbox key. It contacts no candidate, but it downloads the résumé of a submission. The sandbox is visible only to your key.',
      ),
      text(introduction(baseUrl, apiKey)),
      shell(
        ...setUp,
        'AUTH="Authorization: Bearer $KEY"',
        `OPEN=$(curl -s "$BASE/jobs" -H "$AUTH" | grep -o 'job_sandbox_open_[A-Za-z0-9_-]*' | head -1)`,
        'ANSWER=$(curl -s "$BASE/applications" -H "$AUTH" -H "Content-Type: application/json" \\',
        `  -H "Idempotency-Key: $(python3 -c 'import uuid; print(uuid.uuid4())')" -d '{`,
        `    "jobId": "'$OPEN'",`,
        '    "candidate": { "firstName": "Ada", "lastName": "Reyes",',
        `      "email": "accepted+ada@${SANDBOX_DOMAIN}", "phone": "+14155550123" },`,
        '    "consentToContact": true }\')',
        `ID=$(echo "$ANSWER" | grep -o 'ej_app_[A-Za-z0-9_-]*')`,
        'echo "$ANSWER"',
      ),
      text('After a few seconds, the application is `accepted` and your endpoint receives the webhook:'),
      shell(
        `until curl -s "$BASE/applications/$ID" -H "$AUTH" | grep '"status":"accepted"'; do`,
        '  sleep 1',
        'done',
      ),
      ...eventBlocks(options),
      heading('Magic addresses'),
      text(
        `The e-mail address decides what happens to a candidate. To tell candidates apart, add a plus sign and any text before the at sign: \`accepted+ada@${SANDBOX_DOMAIN}\`. Each stage lasts about ${STAGE}. Candidates with other addresses stay \`received\` until the operator moves them. An unlisted name at \`${SANDBOX_DOMAIN}\` returns \`VALIDATION_ERROR\`.`,
      ),
      table(
        ['Address', 'What happens'],
        SANDBOX_CATALOGUE.addresses.map(({ address, about }) => [code(address), about]),
      ),
      heading('Your jobs'),
      text(
        'Your key has its own companies and jobs. Their identifiers end with the same part. Take a job from `GET /jobs` and replace `open` with another name to get the identifier of another job, even of one that is not listed.',
      ),
      table(
        ['Job', 'What it is for'],
        SANDBOX_CATALOGUE.jobs.map(({ id, about }) => [code(`${id}…`), about]),
      ),
      text(
        `A job that becomes unavailable does so about ${LEAVES_AFTER} after an application to it. About ${AWAY} later it is available again, with \`job.opened\`. Tests that run in parallel should use the other jobs.`,
      ),
      heading('Every error'),
      table(
        ['Status', 'Code', 'How to trigger it'],
        SANDBOX_CATALOGUE.errors.map(
          ({ status, code: name, how }): GuideRow => [String(status), code(name), withLimits(how, options)],
        ),
      ),
      text(
        'Magic addresses return their error after the fields are validated, and every time. Only `lost-reply` records an application. To see a limit end, exceed a real one.',
      ),
    ],
  };
}

function eventBlocks({ selfService }: SandboxGuideOptions) {
  if (selfService?.events !== true) return [];
  return [
    heading('Events without an endpoint'),
    text('`GET /events` lists the events of your key:'),
    shell('curl -sw \'\\n\' "$BASE/events?type=application.status_changed" -H "$AUTH"'),
    text(
      'A command of the package `@partner-hiring/client` forwards them as signed webhooks to your machine: see the page “Fetch events”. It signs with `WEBHOOK_SECRET`, or prints a new secret:',
    ),
    shell(
      'PARTNER_API_URL=$BASE PARTNER_API_KEY=$KEY npx partner-hiring-listen --forward http://localhost:4000/webhooks',
    ),
  ];
}

function introduction(baseUrl: string | null, apiKey: string | null): string {
  const unset = [
    ...(baseUrl === null ? ['`BASE` to the address of the API'] : []),
    ...(apiKey === null ? ['`KEY` to your sandbox key'] : []),
  ];
  return unset.length === 0 ? 'Hire a candidate:' : `Set ${unset.join(' and ')}. Then hire a candidate:`;
}

/** Names the limits of the service in place of the defaults. */
function withLimits(how: string, { limits = {}, maxBodyBytes }: SandboxGuideOptions): string {
  const { submit_application: perMinute } = limits;
  const counted =
    perMinute === undefined ? how : how.replace('eleven candidates', `${perMinute + 1} candidates`);
  return maxBodyBytes === undefined ? counted : counted.replace('256 KiB by default', bytes(maxBodyBytes));
}

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
