import type { Support } from '../domain/support.js';
import { misconfiguration } from '../errors.js';
import { isPortalUrl, PORTAL_URL_RULE } from '../features/portal/rules.js';
import { checkOptionNames, type OptionNames } from './option-checks.js';

const NAMES: OptionNames<Support> = { email: true, url: true, statusUrl: true };

/** No character that Markdown, HTML or a header could misread. */
const EMAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;
const ADDRESS = /^https?:\/\/[\w.~:/?=&%#[\]@+-]+$/;

/** Checks the option. @throws OperatorError `MISCONFIGURED` */
export function readSupport(maker: string, support: Support = {}): Support {
  checkOptionNames(maker, support, NAMES, 'support');
  checkText(maker, 'email', support.email, EMAIL, 'an e-mail address, such as "partners@example.com"');
  checkText(maker, 'url', support.url, ADDRESS, 'a URL, such as "https://example.com/support"');
  checkText(maker, 'statusUrl', support.statusUrl, ADDRESS, 'a URL, such as "https://status.example.com"');
  return support;
}

function checkText(
  maker: string,
  name: string,
  value: string | undefined,
  form: RegExp,
  expected: string,
): void {
  if (value === undefined || form.test(value)) return;
  throw misconfiguration(`${maker}: \`support.${name}\` must be ${expected}.`);
}

/** No query and no fragment, because the paths of pages are appended. */
const PORTAL_URL = /^https?:\/\/[\w.:[\]-]+(?:\/[\w.~-]+)*\/?$/;

/** Checks the option `portalUrl`. @throws OperatorError `MISCONFIGURED` */
export function checkPortalUrl(url: unknown): void {
  if (url === undefined || (typeof url === 'string' && PORTAL_URL.test(url) && isPortalUrl(url))) return;
  throw misconfiguration(`\`portalUrl\` ${PORTAL_URL_RULE}. Omit it if partners have no portal.`);
}
