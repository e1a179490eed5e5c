import { type Logger, type Operator, OperatorError, type Optional, type Support } from '@partner-hiring/core';
import { readPublicPath, readSupport } from '@partner-hiring/core/contract';
import { isAddress, isLinkTarget, isOrigin, LONGEST_TIMEOUT_MS, PATH, STANDARD_ERROR } from '../options.js';
import type { PortalActorHook } from './actor.js';

/** The host's name and colour in the portal. */
export interface PortalBrand {
  /** Your platform's name, such as `Elevate Jobs`: 1 to 60 characters. */
  readonly name: string;
  /** The colour of buttons and links, such as `#0a7d54`. Links are made darker or lighter until they can be read. */
  readonly accent?: string | undefined;
}

/** Options of `createPartnerPortal`. */
export interface PartnerPortalOptions<HostTx = unknown> {
  /** `partnerHiring.operator`. */
  readonly operator: Operator<HostTx>;
  /** Says who sent a request, for partners that sign in to your own site; without it, only links sign in. */
  readonly actor?: PortalActorHook | undefined;
  /** Where the portal is: a path that starts with a slash and does not end with one; default: `/portal`. */
  readonly path?: string | undefined;
  /**
   * The path that your proxy removes, such as `/hiring` if browsers see `/hiring/portal`; default: the header
   * `X-Forwarded-Prefix` of a proxy that your server trusts.
   */
  readonly publicPath?: string | undefined;
  /**
   * The origin that browsers see, such as `https://jobs.example.com`; default: the origin of each request. Set it
   * behind a proxy that changes the scheme or the host.
   */
  readonly origin?: string | undefined;
  /** Your name and colour; default: `Partner portal`, in the colour of the console. */
  readonly brand?: PortalBrand | undefined;
  /** The base URL of your partner API, such as `https://api.example.com/partner/v1`. */
  readonly api?: string | undefined;
  /** The address of your pages for partners, such as those of `createPartnerDocs`: a path of your server, or a URL. */
  readonly docs?: string | undefined;
  /** How partners reach you: the same value as for `createPartnerHiring` and `createPartnerDocs`. */
  readonly support?: Support | undefined;
  /** The address of your own sign-in page: a path of your server, or a URL. */
  readonly signInUrl?: string | undefined;
  /** Ends a session of your own, and returns the answer. Sessions of links end without it. */
  readonly signOut?: ((request: Request, host: unknown) => Response | Promise<Response>) | undefined;
  /**
   * The origins of pages that may show the portal in a frame; default: none. If one is not `origin`, browsers send the
   * portal's cookies to frames of other sites too, and each form must name the portal's own `Origin`.
   */
  readonly frameAncestors?: readonly string[] | undefined;
  /** Where errors go, and warnings if it has `warn`; default: standard error. */
  readonly logger?: (Pick<Logger, 'error'> & Optional<Pick<Logger, 'warn'>>) | undefined;
  /** How long the actor hook may take, in milliseconds, from 1 to 60,000; default: 5,000. */
  readonly timeoutMs?: number | undefined;
}

type NullByDefault = 'actor' | 'publicPath' | 'origin' | 'api' | 'docs' | 'signInUrl' | 'signOut';

/** Options with their defaults. */
export type CheckedPortalOptions = {
  readonly [Name in Exclude<keyof PartnerPortalOptions, NullByDefault>]-?: NonNullable<
    PartnerPortalOptions[Name]
  >;
} & {
  readonly [Name in NullByDefault]: NonNullable<PartnerPortalOptions[Name]> | null;
} & {
  readonly signOutUrl: null;
  /** Whether pages of another origin show the portal in a frame. */
  readonly isEmbedded: boolean;
};

const NAMES: readonly string[] = [
  ...(['operator', 'actor', 'path', 'publicPath', 'origin', 'brand', 'api', 'docs', 'support'] as const),
  ...(['signInUrl', 'signOut', 'frameAncestors', 'logger', 'timeoutMs'] as const),
] satisfies readonly (keyof PartnerPortalOptions)[];

const NAME_MAX_LENGTH = 60;
const COLOUR = /^#[0-9a-f]{6}$/i;

/** @throws OperatorError `MISCONFIGURED`. */
export function checkPortalOptions<HostTx>(options: PartnerPortalOptions<HostTx>): CheckedPortalOptions {
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name));
  expectThat(unknown === undefined, `has no option \`${unknown}\`. The options are ${NAMES.join(', ')}.`);
  const { operator, actor = null, path = '/portal', origin = null, api = null, docs = null } = options;
  const { brand = { name: 'Partner portal' }, signInUrl = null, signOut = null } = options;
  const { frameAncestors = [], logger = STANDARD_ERROR, timeoutMs = 5_000 } = options;
  expectThat(typeof operator?.forPartner === 'function', 'needs `operator`: pass `partnerHiring.operator`.');
  expectThat(
    actor === null || typeof actor === 'function',
    '`actor` must be a function that says who sent a request.',
  );
  expectThat(PATH.test(path), '`path` must start with a slash, such as `/portal`, and not end with one.');
  expectThat(origin === null || isOrigin(origin), '`origin` must be like `https://jobs.example.com`.');
  expectThat(isName(brand.name), `\`brand.name\` must have 1 to ${NAME_MAX_LENGTH} characters.`);
  const { accent } = brand;
  expectThat(
    accent === undefined || COLOUR.test(accent),
    '`brand.accent` must be a colour such as `#0a7d54`.',
  );
  expectThat(isAddress(api ?? undefined), '`api` must be an address: `https://…`.');
  expectThat(
    docs === null || isLinkTarget(docs),
    '`docs` must be a path, such as `/partner-docs`, or an http(s) URL.',
  );
  expectThat(
    signInUrl === null || isLinkTarget(signInUrl),
    '`signInUrl` must be a path, such as `/login`, or an http(s) URL.',
  );
  expectThat(signOut === null || typeof signOut === 'function', '`signOut` must be a function.');
  expectThat(frameAncestors.every(isOrigin), '`frameAncestors` must be origins: `https://jobs.example.com`.');
  expectThat(typeof logger?.error === 'function', '`logger` must have a method `error`.');
  const isTimeout = Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= LONGEST_TIMEOUT_MS;
  expectThat(isTimeout, `\`timeoutMs\` must be an integer from 1 to ${LONGEST_TIMEOUT_MS}.`);
  const own = operator as CheckedPortalOptions['operator'];
  const support = readSupport('createPartnerPortal', options.support);
  const publicPath = readPublicPath('createPartnerPortal', options.publicPath, path);
  const places = { path, publicPath, origin, api, docs, support, signInUrl, signOutUrl: null };
  const isEmbedded = frameAncestors.some((one) => one !== origin);
  return { ...places, operator: own, actor, brand, signOut, frameAncestors, isEmbedded, logger, timeoutMs };
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && name.trim() !== '' && name.length <= NAME_MAX_LENGTH;
}

function expectThat(holds: boolean, rule: string): void {
  if (!holds) throw new OperatorError('MISCONFIGURED', `createPartnerPortal ${rule}`);
}
