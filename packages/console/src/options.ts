import { type Logger, type Operator, OperatorError, type Optional } from '@partner-hiring/core';
import { readPublicPath } from '@partner-hiring/core/contract';
import type { ConsoleActorHook } from './actor.js';

/** Options of `createConsole`. */
export interface ConsoleOptions<HostTx = unknown> {
  /** `partnerHiring.operator`. */
  readonly operator: Operator<HostTx>;
  /** Says who sent a request. Without an actor, the console answers 404. */
  readonly actor: ConsoleActorHook;
  /** Where the console is: a path that starts with a slash and does not end with one; default: `/console`. */
  readonly path?: string | undefined;
  /**
   * The path that your proxy removes, such as `/hiring` if browsers see `/hiring/console`; default: the header
   * `X-Forwarded-Prefix` of a proxy that your server trusts.
   */
  readonly publicPath?: string | undefined;
  /**
   * The origin that browsers see, such as `https://admin.example.com`; default: the origin of each request. Set it
   * behind a proxy that changes the scheme or the host.
   */
  readonly origin?: string | undefined;
  /** The origins of pages that may show the console in a frame; default: none. */
  readonly frameAncestors?: readonly string[] | undefined;
  /** Where errors go, and warnings if it has `warn`; default: standard error. */
  readonly logger?: (Pick<Logger, 'error'> & Optional<Pick<Logger, 'warn'>>) | undefined;
  /** How long the actor hook may take, in milliseconds, from 1 to 60,000; default: 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Your addresses for the hand-over sheet of a new partner. */
  readonly handOver?: ConsoleHandOver | undefined;
  /**
   * Answers requests below `<path>/sign-in`, instead of the console's pages; default: they get 404. Return null to
   * answer 404. `createOneTimeLogin` returns such a function.
   * @param base - the console's path as browsers see it, for redirections and cookies.
   */
  readonly signIn?:
    | ((request: Request, base: string) => Response | null | Promise<Response | null>)
    | undefined;
  /**
   * Ends the session of the person who pressed "Sign out", and returns the answer, such as a redirection to your sign-in
   * page. It gets a POST that has come from the console. `createOneTimeLogin` returns such a function. Without it and
   * without `signOutUrl`, pages have no way to sign out.
   * @param base - the console's path as browsers see it.
   */
  readonly signOut?:
    | ((request: Request, host: unknown, base: string) => Response | Promise<Response>)
    | undefined;
  /**
   * The address of your own page that signs out, to which pages link: a path of your server, or a URL. Not together
   * with `signOut`.
   */
  readonly signOutUrl?: string | undefined;
}

/** Your addresses for the hand-over sheet of a new partner. */
export interface ConsoleHandOver {
  /** The base URL of your partner API, such as `https://api.example.com/partner/v1`. */
  readonly api?: string | undefined;
  /** The address of your pages for partners, such as those of `createPartnerDocs`. */
  readonly docs?: string | undefined;
  /** The person or the address that partners ask, such as an e-mail address. */
  readonly support?: string | undefined;
}

/** Options with their defaults. */
export type CheckedConsoleOptions = {
  readonly [Name in keyof ConsoleOptions]-?: NonNullable<ConsoleOptions[Name]> | DefaultOf<Name>;
};

/** The options that the pages of the console and of the portal share. */
export type PagesOptions = Pick<
  CheckedConsoleOptions,
  'path' | 'publicPath' | 'origin' | 'frameAncestors' | 'logger' | 'signOutUrl'
>;

/** These options have no other default than null. */
type DefaultOf<Name> = Name extends 'publicPath' | 'origin' | 'signIn' | 'signOut' | 'signOutUrl'
  ? null
  : never;

const NAMES: readonly (keyof ConsoleOptions)[] = [
  ...(['operator', 'actor', 'path', 'publicPath', 'origin', 'frameAncestors', 'logger'] as const),
  ...(['timeoutMs', 'handOver', 'signIn', 'signOut', 'signOutUrl'] as const),
];

/** A path that starts with a slash and does not end with one. */
export const PATH = /^(\/[A-Za-z0-9._~-]+)+$/;
export const LONGEST_TIMEOUT_MS = 60_000;

/** Where errors go by default. */
export const STANDARD_ERROR: Pick<Logger, 'error'> = {
  error: (fields, message) => console.error(message, fields),
};

/** @throws OperatorError `MISCONFIGURED`. */
export function checkConsoleOptions<HostTx>(options: ConsoleOptions<HostTx>): CheckedConsoleOptions {
  const unknown = Object.keys(options).filter((name) => !NAMES.some((known) => known === name));
  expectThat(unknown.length === 0, `has no option \`${unknown[0]}\`. The options are ${NAMES.join(', ')}.`);
  const { operator, actor, path = '/console', origin, frameAncestors = [], signIn } = options;
  const { logger = STANDARD_ERROR, timeoutMs = 5_000, handOver = {}, signOut, signOutUrl } = options;
  expectThat(typeof operator?.as === 'function', 'needs `operator`: pass `partnerHiring.operator`.');
  expectThat(typeof actor === 'function', 'needs `actor`: a function that says who sent a request.');
  expectThat(PATH.test(path), '`path` must start with a slash, such as `/console`, and not end with one.');
  expectThat(origin === undefined || isOrigin(origin), '`origin` must be like `https://admin.example.com`.');
  expectThat(
    frameAncestors.every(isOrigin),
    '`frameAncestors` must be origins: `https://intranet.example.com`.',
  );
  expectThat(typeof logger?.error === 'function', '`logger` must have a method `error`.');
  for (const name of ['api', 'docs'] as const)
    expectThat(isAddress(handOver[name]), `\`handOver.${name}\` must be an address: \`https://…\`.`);
  const isTimeout = Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= LONGEST_TIMEOUT_MS;
  expectThat(isTimeout, `\`timeoutMs\` must be an integer from 1 to ${LONGEST_TIMEOUT_MS}.`);
  expectThat(
    signOut === undefined || typeof signOut === 'function',
    '`signOut` must be a function that ends the session.',
  );
  expectThat(
    signOutUrl === undefined || isLinkTarget(signOutUrl),
    '`signOutUrl` must be a path, such as `/logout`, or an http(s) URL.',
  );
  const publicPath = readPublicPath('createConsole', options.publicPath, path);
  expectThat(signOut === undefined || signOutUrl === undefined, 'takes `signOut` or `signOutUrl`, not both.');
  return {
    actor,
    path,
    publicPath,
    frameAncestors,
    logger,
    timeoutMs,
    handOver,
    operator: operator as CheckedConsoleOptions['operator'],
    origin: origin ?? null,
    signIn: signIn ?? null,
    signOut: signOut ?? null,
    signOutUrl: signOutUrl ?? null,
  };
}

/** Returns whether a text is an origin, such as `https://admin.example.com`. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** Returns whether a text is an http(s) address, or missing. */
export function isAddress(text: string | undefined): boolean {
  return text === undefined || (/^https?:/.test(text) && URL.canParse(text));
}

/** Returns whether a text is a path of the server, or an http(s) address. */
export function isLinkTarget(text: string): boolean {
  if (/^\/(?![/\\])/.test(text)) return true;
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function expectThat(holds: boolean, rule: string): void {
  if (!holds) throw new OperatorError('MISCONFIGURED', `createConsole ${rule}`);
}
