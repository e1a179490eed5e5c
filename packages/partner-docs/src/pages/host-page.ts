import { posix } from 'node:path';
import { BOOTSTRAP_FACTOR, offersEndpoint } from '@partner-hiring/core/contract';
import { bytes, duration } from '../sandbox/amounts.js';
import type { HostFacts } from './host-facts.js';
import { onlyOffered } from './offered.js';
import { FILE_PATHS, type FilePath, type PageName, VERSION } from './page-texts.js';

/** The files of the repository, for links to what a host does not serve. */
const REPOSITORY = 'https://github.com/partner-hiring/partner-hiring/blob/main/';

/** Matches the address of the API in the repository's pages, with or without the origin. */
const ADDRESS = /(https:\/\/hiring\.example\.com|http:\/\/127\.0\.0\.1:3000)?\/api\/v1\/external\b/g;

/** Matches the parts about this repository, which mean nothing on a host's server. */
const REPOSITORY_ONLY = /<!-- repository -->\n.*?<!-- \/repository -->\n\n?/gs;

/** The note on packages that are not on npm yet. */
const NOT_ON_NPM = /(They are|It is) not on npm yet:.*?instead of this one:/gs;

const LINK = /\]\((?!https?:)([^)\s#]*)(#[^)\s]*)?\)/g;

/** Puts the host's address, limits and links into a page of the repository. */
export function hostPage(
  name: PageName,
  text: string,
  facts: HostFacts,
  served: ReadonlySet<string>,
): string {
  const { origin, basePath } = facts;
  const local = fromTarballs(
    onlyOffered(text.replaceAll(REPOSITORY_ONLY, ''), facts.selfService),
    facts.packagesUrl,
  );
  const limited = limitsOn(name, facts).reduce(
    (page, [from, to]) => replaceOnce(name, page, from, to),
    local,
  );
  return limited
    .replaceAll(ADDRESS, (_, example: string | undefined) =>
      example === undefined ? basePath || '/' : `${origin}${basePath}`,
    )
    .replaceAll(
      LINK,
      (_, path: string, anchor = '') => `](${path === '' ? '' : resolveLink(path, served)}${anchor})`,
    );
}

/** Links to pages and files that the host serves stay relative. Others lead to the repository. */
function resolveLink(path: string, served: ReadonlySet<string>): string {
  if (served.has(path)) return path;
  const inRepository = posix.join('docs', path);
  const isFile = Object.hasOwn(FILE_PATHS, inRepository);
  return isFile ? FILE_PATHS[inRepository as FilePath] : `${REPOSITORY}${inRepository}`;
}

/** Matches a package of ours in a command that installs it. */
const PACKAGE = /@partner-hiring\/([\w-]+)/g;

/** Installs our packages from the host's tarballs, until they are on npm. */
function fromTarballs(text: string, packagesUrl: string | null): string {
  if (packagesUrl === null) return text;
  const local = text.replaceAll(
    NOT_ON_NPM,
    (_, subject) => `${subject === 'It is' ? 'It comes' : 'They come'} from this service:`,
  );
  return local.replaceAll(/^npm install .*$/gm, (command) =>
    command.replaceAll(PACKAGE, (_, name: string) => `${packagesUrl}/partner-hiring-${name}-${VERSION}.tgz`),
  );
}

type Replacement = readonly [from: string, to: string];

/** The limits that the repository's pages give as defaults. */
function limitsOn(name: PageName, facts: HostFacts): readonly Replacement[] {
  if (name === 'partner-guide') return [['limit of 300 [other', `limit of ${facts.limits.guard} [other`]];
  if (name === 'events')
    return [['has 60 requests a minute', `has ${facts.limits.list_events} requests a minute`]];
  if (name === 'questions') {
    const answer = facts.selfService.events === true ? 'Yes, with' : 'No. This service does not offer';
    return [
      ['Yes, if the operator offers [`GET /events`]', `${answer} [\`GET /events\`]`],
      ['The operator knows them. Webhooks have', `${sendersText(facts.webhookSenders)}Webhooks have`],
    ];
  }
  return name === 'errors-and-limits' ? referenceLimits(facts) : [];
}

function sendersText(senders: readonly string[]): string {
  if (senders.length === 0) return 'The operator knows them. ';
  const list = senders.map((sender) => `- \`${sender}\``).join('\n');
  return `Our webhooks come from these addresses:\n\n${list}\n\n`;
}

function referenceLimits({ limits, ...facts }: HostFacts): readonly Replacement[] {
  const { submit_application: submissions, guard, failed_authentication: failed } = limits;
  return [
    [
      '| 10, or 50 in bootstrap mode |',
      `| ${submissions}, or ${submissions * BOOTSTRAP_FACTOR} in bootstrap mode |`,
    ],
    ['| `GET /applications/{id}` | 120 |', `| \`GET /applications/{id}\` | ${limits.read_application} |`],
    ['| `GET /applications` | 60 |', `| \`GET /applications\` | ${limits.list_applications} |`],
    ['| `GET /jobs` | 60 |', `| \`GET /jobs\` | ${limits.list_jobs} |`],
    [
      '| `GET /events`, if the operator offers it | 60 | key |\n',
      facts.selfService.events === true ? `| \`GET /events\` | ${limits.list_events} | key |\n` : '',
    ],
    ['first in a minute | 300 |', `first in a minute | ${guard} |`],
    [
      '| all of `/webhook-endpoint`, if the operator offers it | 10 | key |\n',
      offersEndpoint(facts.selfService)
        ? `| all of \`/webhook-endpoint\` | ${limits.webhook_endpoint} | key |\n`
        : '',
    ],
    ['| requests without a valid key | 120 |', `| requests without a valid key | ${failed} |`],
    ['- After 300 "other', `- After ${guard} "other`],
    ['- After 120 requests', `- After ${failed} requests`],
    ['| 256 KiB by default |', `| ${bytes(facts.maxBodyBytes)} |`],
    ['| 30 seconds by default; then 503 |', `| ${duration(facts.bodyTimeoutMs)}; then 503 |`],
    [
      'The operator of the service can change each limit that is marked "by default", except `limit` of a list.',
      'The operator of the service sets the limits on requests, bodies and concurrency.',
    ],
    ['| 256 in each process by default;', `| ${facts.maxInFlightPerKey} in each process;`],
  ];
}

/** @throws Error if the page has changed, so that a limit would be wrong */
function replaceOnce(name: string, page: string, from: string, to: string): string {
  if (page.split(from).length === 2) return page.replace(from, () => to);
  throw new Error(`The page ${name} must contain this text exactly once: ${from}`);
}
