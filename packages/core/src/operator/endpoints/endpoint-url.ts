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
  const isAllowed = protocol === 'https:' || (policy.allowPlainHttp && protocol === 'http:');
  inspection.expect(isAllowed, field, policy.allowPlainHttp ? 'must be https or http' : 'must be https');
  inspection.expect(username === '' && password === '', field, 'must not carry credentials');
}
