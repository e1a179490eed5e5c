import { isIP } from 'node:net';
import { misconfiguration, type OperatorError } from '../../errors.js';
import { checkOptionNames, type OptionNames } from '../option-checks.js';

/** An HTTP proxy that webhooks and résumé downloads go through, with `CONNECT`. */
export interface ProxyOptions {
  /**
   * The proxy's URL, `http` or `https`. It may contain a user name and a password, which are never logged. The
   * proxy itself may be in a private network.
   */
  readonly url: string;
  /**
   * Where names are resolved: `here`, the default, or `proxy`. With `here`, this process resolves a name, checks every
   * address and names a checked address to the proxy. With `proxy`, the proxy gets the name: the addresses of names are
   * not checked, so the proxy must refuse private networks.
   */
  readonly resolve?: 'here' | 'proxy' | undefined;
}

export interface HttpProxy {
  /** Without credentials. */
  readonly origin: string;
  readonly authorization: string | null;
  readonly resolvesNames: boolean;
}

const OPTIONS: OptionNames<ProxyOptions> = { url: true, resolve: true };

/** @throws OperatorError `MISCONFIGURED`. The message does not contain the URL, which may have a password. */
export function readProxy(options: ProxyOptions | undefined): HttpProxy | null {
  if (options === undefined) return null;
  if (typeof options !== 'object' || options === null) throw misconfigured('`proxy` must be an object');
  checkOptionNames('`proxy`', options, OPTIONS, 'proxy');
  const { url, resolve = 'here' }: { readonly url: unknown; readonly resolve?: unknown | undefined } =
    options;
  if (resolve !== 'here' && resolve !== 'proxy') {
    throw misconfiguration("`proxy.resolve` must be 'here' or 'proxy'.");
  }
  if (typeof url !== 'string' || !URL.canParse(url)) throw misconfigured('`proxy.url` is not a URL');
  const { protocol, origin, username, password, pathname, search, hash } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw misconfigured('`proxy.url` must be an http or https URL');
  }
  if (pathname !== '/' || search !== '' || hash !== '') {
    throw misconfigured('`proxy.url` must have no path, query or fragment');
  }
  return { origin, authorization: basic(username, password), resolvesNames: resolve === 'proxy' };
}

function basic(username: string, password: string): string | null {
  if (username === '' && password === '') return null;
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(credentials).toString('base64')}`;
  } catch {
    throw misconfigured('User name and password in `proxy.url` must be percent-encoded');
  }
}

function misconfigured(problem: string): OperatorError {
  return misconfiguration(`${problem}. Pass \`proxy: { url: 'http://user:password@proxy.example:3128' }\`.`);
}

/**
 * Names that only a private network resolves: names without a dot, and the domains that RFC 6761, RFC 6762,
 * RFC 8375 and ICANN reserve, or that networks use by habit.
 */
const LOCAL_NAME =
  /^[^.]*\.?$|\.(?:localhost|local|localdomain|internal|intranet|private|lan|corp|home|home\.arpa)\.?$/;

/** Returns whether a name is local. Addresses are not names. */
export function isLocalName(host: string): boolean {
  return isIP(host) === 0 && LOCAL_NAME.test(host);
}
