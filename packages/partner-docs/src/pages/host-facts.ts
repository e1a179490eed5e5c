import { isIP } from 'node:net';
import {
  type Optional,
  RATE_LIMITS,
  type RateLimits,
  type SelfServiceOptions,
  type Support,
} from '@partner-hiring/core';
import {
  checkOptionNames,
  checkSwitches,
  DEFAULT_BASE_PATH,
  DEFAULT_BODY_TIMEOUT_MS,
  DEFAULT_MAX_BODY_BYTES,
  DEFAULT_MAX_IN_FLIGHT_PER_KEY,
  isHttpsOrLoopback,
  misconfiguration,
  type OptionNames,
  readBasePath,
  readOrigin,
  readPublicPath,
  readSupport,
  withDefaults,
} from '@partner-hiring/core/contract';

/** The facts that the documentation shows. Pass the values that you pass to `createPartnerHiring`. */
export interface PartnerDocsOptions {
  /** The public URL of your server without the base path, for example `https://hiring.example.com`. */
  readonly origin: string;
  /** The path that serves the documentation. Default: `/partner-docs`. It must not be under `basePath`. */
  readonly docsPath?: string | undefined;
  /** The path of the API. Default: `/api/v1/external`. */
  readonly basePath?: string | undefined;
  /**
   * The path before `docsPath` and `basePath` that partners see, such as `/hiring`: what your proxy removes, or the prefix
   * under which you mount both. Default: the header `X-Forwarded-Prefix` of a proxy that your server trusts.
   */
  readonly publicPath?: string | undefined;
  /** Requests per minute, by bucket. Default: the limits of the contract. */
  readonly limits?: Optional<RateLimits> | undefined;
  /** The largest request body, in bytes. Default: 256 KiB. */
  readonly maxBodyBytes?: number | undefined;
  /** How long a body may take to arrive, in milliseconds. Default: 30,000. */
  readonly bodyTimeoutMs?: number | undefined;
  /** The most concurrent requests of one key in each process. Default: 256. */
  readonly maxInFlightPerKey?: number | undefined;
  /** Whether the service has a sandbox, which adds its page. Default: false. */
  readonly sandbox?: boolean | undefined;
  /** What partners may do besides the four routes. Default: nothing. */
  readonly selfService?: Optional<SelfServiceOptions> | undefined;
  /** How partners reach you. It appears on every page and in `openapi.json`. Default: the pages do not say it. */
  readonly support?: Support | undefined;
  /**
   * The addresses that your webhooks come from, for the firewalls of partners: IP addresses or networks, such as
   * `['203.0.113.7', '2001:db8::/64']`. Default: the pages say that the operator knows them.
   */
  readonly webhookSenders?: readonly string[] | undefined;
  /**
   * The URL of a folder with the tarballs that `npm run pack` wrote, for commands that install the client, the verifier and
   * certify. It must be https, except on loopback. Default: the commands name the packages on npm.
   */
  readonly packagesUrl?: string | undefined;
}

type Silent = 'publicPath' | 'packagesUrl';

/** The options with their defaults. */
export type HostFacts = {
  readonly [Name in Exclude<keyof PartnerDocsOptions, Silent | 'limits'>]-?: NonNullable<
    PartnerDocsOptions[Name]
  >;
} & Readonly<Record<Silent, string | null>> & { readonly limits: RateLimits };

const OPTIONS: OptionNames<PartnerDocsOptions> = {
  origin: true,
  docsPath: true,
  basePath: true,
  publicPath: true,
  limits: true,
  maxBodyBytes: true,
  bodyTimeoutMs: true,
  maxInFlightPerKey: true,
  sandbox: true,
  selfService: true,
  support: true,
  webhookSenders: true,
  packagesUrl: true,
};

const MAKER = 'createPartnerDocs';
const DEFAULT_DOCS_PATH = '/partner-docs';

/** Checks the options and adds the defaults. @throws OperatorError `MISCONFIGURED` */
export function readFacts(options: PartnerDocsOptions): HostFacts {
  checkOptionNames(MAKER, options, OPTIONS);
  checkOptionNames(MAKER, options.limits ?? {}, RATE_LIMITS, 'limits');
  checkSwitches(MAKER, { sandbox: options.sandbox });
  const basePath = readBasePath(options.basePath ?? DEFAULT_BASE_PATH);
  const docsPath = readDocsPath(options.docsPath ?? DEFAULT_DOCS_PATH, basePath);
  // A path in the origin is that of a prefix.
  const [, origin = '', path = ''] = /^(https?:\/\/[^/]+)(.*)$/.exec(readOrigin(options.origin)) ?? [];
  return {
    origin,
    basePath,
    docsPath,
    publicPath: readPublicPath(MAKER, options.publicPath, docsPath) ?? (path === '' ? null : path),
    limits: withDefaults(RATE_LIMITS, options.limits),
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    bodyTimeoutMs: options.bodyTimeoutMs ?? DEFAULT_BODY_TIMEOUT_MS,
    maxInFlightPerKey: options.maxInFlightPerKey ?? DEFAULT_MAX_IN_FLIGHT_PER_KEY,
    sandbox: options.sandbox ?? false,
    selfService: options.selfService ?? {},
    support: readSupport(MAKER, options.support),
    webhookSenders: readSenders(options.webhookSenders ?? []),
    packagesUrl: options.packagesUrl === undefined ? null : readPackagesUrl(options.packagesUrl),
  };
}

/** Throws if the path is under the base path of the API, where each path needs a key. The documentation is public. */
function readDocsPath(text: string, basePath: string): string {
  const path = /^\/./.test(text) ? readPathOrNull(text) : null;
  if (path !== null && path !== basePath && !path.startsWith(`${basePath}/`)) return path;
  throw misconfiguration(
    '`docsPath` must begin with a slash, consist of letters, digits and `-._~`, and not be under `basePath`, for example ' +
      '"/partner-docs".',
  );
}

/** @throws OperatorError `MISCONFIGURED` if one is not an address or a network. */
function readSenders(given: readonly string[]): readonly string[] {
  const wrong = Array.isArray(given) ? given.find((sender) => !isSender(sender)) : given;
  if (wrong === undefined) return given;
  throw misconfiguration(
    `${MAKER}: \`webhookSenders\` must be a list of IP addresses and networks, such as ["203.0.113.7", "2001:db8::/64"], ` +
      `but has ${JSON.stringify(wrong)}.`,
  );
}

/** Returns whether a value is an IP address or a network in the notation of CIDR. */
function isSender(sender: unknown): boolean {
  const [, address = '', length = '0'] = /^([\da-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/i.exec(String(sender)) ?? [];
  const family = isIP(address);
  return typeof sender === 'string' && family !== 0 && Number(length) <= (family === 4 ? 32 : 128);
}

/** Only characters that a shell takes literally, because the URL is in commands. */
function readPackagesUrl(text: string): string {
  const isUrl = /^https?:\/\/[\w.~:/[\]-]+$/.test(text) && URL.canParse(text);
  if (isUrl && isHttpsOrLoopback(new URL(text))) return text.replace(/\/$/, '');
  throw misconfiguration(
    '`packagesUrl` must be the URL of a folder with tarballs, for example "https://hiring.example.com/packages". ' +
      'It must be https, except on loopback, such as http://localhost:3000/packages.',
  );
}

function readPathOrNull(text: string): string | null {
  try {
    return readBasePath(text);
  } catch {
    return null;
  }
}
