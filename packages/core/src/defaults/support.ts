import type { Support } from '../domain/support.js';
import { misconfiguration } from '../errors.js';
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
