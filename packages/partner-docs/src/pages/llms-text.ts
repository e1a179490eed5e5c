import type { HostFacts } from './host-facts.js';
import type { PartnerDocsPage } from './partner-docs-page.js';

/** Pages that a reader who is short of space may skip, as llmstxt.org defines it. */
const OPTIONAL: readonly string[] = ['versioning.md', 'api-changelog.md'];

/** Returns the index of the documentation in the format of https://llmstxt.org. */
export function llmsText(
  { origin, basePath, docsPath }: HostFacts,
  pages: readonly PartnerDocsPage[],
): string {
  const lines = (listed: readonly PartnerDocsPage[]) =>
    listed.map(({ path, title, about }) => `- [${title}](${origin}${docsPath}/${path}): ${about}`).join('\n');
  const isOptional = ({ path }: PartnerDocsPage) => OPTIONAL.includes(path);
  return `# Partner Hiring API

> An HTTP API for applicant-tracking systems: list open jobs, submit candidates, follow their applications, and receive signed webhooks.

The base URL is ${origin}${basePath}. Every request needs \`Authorization: Bearer <API_KEY>\`. The operator of the service issues the keys. Each submission needs an \`Idempotency-Key\` of its own, and its retries the same one.

## Documentation

${lines(pages.filter((page) => !isOptional(page)))}

## Optional

${lines(pages.filter(isOptional))}
`;
}
