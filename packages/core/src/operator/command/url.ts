import type { UrlPolicy } from '../scope.js';
import { isTextUpTo, value } from './fields.js';
import type { Field } from './input.js';
import { InputProblem } from './input.js';

/** Returns a valid URL in its normal form: percent-encoded, without control characters and blanks around it. */
export function storedUrl(url: string): string {
  return new URL(url).href;
}

/** Common servers and proxies reject longer URLs. */
const URL_MAX_LENGTH = 2048;

/** The URL of an endpoint. `assertAllowedUrl` checks its scheme. */
export const url: Field<string> = value(
  (given) =>
    isTextUpTo(given, URL_MAX_LENGTH) && URL.canParse(given) && storedUrl(given).length <= URL_MAX_LENGTH,
  `must be an absolute URL of at most ${URL_MAX_LENGTH} characters, also when it is percent-encoded`,
  'text',
);

const USE_HTTP_IN_DEVELOPMENT =
  'for development, createPartnerHiring takes `allowPrivateNetworks: true`, which allows http and private addresses';

/** @throws InputProblem if the scheme is not allowed, or if the URL contains credentials. */
export function assertAllowedUrl(given: string, field: string, { allowPlainHttp }: UrlPolicy): void {
  const { protocol, username, password } = new URL(given);
  const isHttp = protocol === 'http:';
  const problems: string[] = [];
  if (protocol !== 'https:' && !(allowPlainHttp && isHttp)) problems.push(schemeRule(allowPlainHttp, isHttp));
  if (username !== '' || password !== '') problems.push('must not contain credentials');
  if (problems.length > 0) throw new InputProblem(...problems.map((rule) => `${field} ${rule}`));
}

function schemeRule(allowPlainHttp: boolean, isHttp: boolean): string {
  if (allowPlainHttp) return 'must be https or http';
  return isHttp ? `must be https (${USE_HTTP_IN_DEVELOPMENT})` : 'must be https';
}
