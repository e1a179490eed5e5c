import { OperatorError } from '@partner-hiring/core';
import { checkOptionNames, type OptionNames } from '@partner-hiring/core/contract';

/** How partners reach the people who run the service. It appears on every page. */
export interface Support {
  readonly email?: string | undefined;
  /** A page with a form, a chat or a forum. */
  readonly url?: string | undefined;
  /** The page that reports outages and maintenance. */
  readonly statusUrl?: string | undefined;
}

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
  throw new OperatorError('MISCONFIGURED', `${maker}: \`support.${name}\` must be ${expected}.`);
}

/** Returns the last line of each page in Markdown; null if the host named no support. */
export function supportLine({ email, url, statusUrl }: Support): string | null {
  const ways = [
    email === undefined ? null : `[${email}](mailto:${email})`,
    url === undefined ? null : `[support](${url})`,
    statusUrl === undefined ? null : `[status of the service](${statusUrl})`,
  ].filter((way) => way !== null);
  return ways.length === 0 ? null : `**Questions?** ${ways.join(' · ')}`;
}

/** Adds the line to a page in Markdown. */
export function withSupport(markdown: string, support: Support): string {
  const line = supportLine(support);
  return line === null ? markdown : `${markdown.trimEnd()}\n\n${line}\n`;
}
