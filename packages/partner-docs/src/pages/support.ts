import type { Support } from '@partner-hiring/core';

/** Returns the last line of each page in Markdown; null if the host named no support. */
function supportLine({ email, url, statusUrl }: Support): string | null {
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
