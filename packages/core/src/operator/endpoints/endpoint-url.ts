import { type Inspection, isText } from '../input/inspection.js';

/** Which endpoint URLs an operator may set. Where they lead is checked again at each attempt. */
export interface UrlPolicy {
  /** Plain `http` too: for tests and the example. Spec: Partner-side receiver, HTTPS. */
  readonly allowPlainHttp: boolean;
}

/** Longer ones are refused by common servers and proxies. */
const MAX_LENGTH = 2048;

/** Checks an endpoint's URL: absolute, https, without credentials. */
export function inspectUrl(inspection: Inspection, url: unknown, field: string, policy: UrlPolicy): void {
  if (!isText(url, MAX_LENGTH) || !URL.canParse(url)) {
    inspection.expect(false, field, `must be an absolute URL of at most ${MAX_LENGTH} characters`);
    return;
  }
  const { protocol, username, password } = new URL(url);
  const isPlain = protocol === 'http:';
  const isAllowed = protocol === 'https:' || (policy.allowPlainHttp && isPlain);
  inspection.expect(isAllowed, field, schemeRule(policy, isPlain));
  inspection.expect(username === '' && password === '', field, 'must not carry credentials');
}

function schemeRule({ allowPlainHttp }: UrlPolicy, isPlain: boolean): string {
  if (allowPlainHttp) return 'must be https or http';
  return isPlain ? `must be https (${IN_DEVELOPMENT})` : 'must be https';
}

/** Most who try http have a receiver on their own machine. */
const IN_DEVELOPMENT =
  'for development, createPartnerHiring takes `allowPrivateNetworks: true`, which allows http and private addresses';
