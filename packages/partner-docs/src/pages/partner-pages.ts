import { createOpenApiDocument } from '../openapi/document.js';
import { sandboxMarkdown } from '../sandbox/sandbox-guide.js';
import { apiMarkdown } from './api-markdown.js';
import type { HostFacts } from './host-facts.js';
import { hostPage } from './host-page.js';
import { llmsText } from './llms-text.js';
import {
  FILE_PATHS,
  FILE_TEXTS,
  type FilePath,
  PAGE_NAMES,
  PAGE_TEXTS,
  type PageName,
} from './page-texts.js';
import { MEDIA_TYPES, type PartnerDocsPage } from './partner-docs-page.js';
import { withSupport } from './support.js';
import { withHtml } from './with-html.js';

const ABOUT: Readonly<Record<PageName, string>> = {
  'quick-start-partner': 'From a sandbox key to a tested integration, with the TypeScript client.',
  'partner-guide': 'Submit candidates and read applications with plain HTTP requests.',
  webhooks: 'Receive, verify and certify signed webhooks.',
  recipes:
    'Receivers for Express, Fastify, Next, Workers, Lambda, Google Functions, Flask, Django, Rails and Spring.',
  events: 'Poll your events from any language, and forward them to a receiver on your machine.',
  sync: 'Keep a complete copy of jobs and applications.',
  'client-stores': 'Keep submissions and copies of the TypeScript client in your PostgreSQL.',
  questions: 'Networks, corrections, erasure, parallel webhooks, and other questions.',
  'errors-and-limits': 'Every error code, rate limit and size.',
  versioning: 'What may change within v1.',
  'api-changelog': 'How the API has changed.',
};

const FILE_TITLES: Readonly<Record<FilePath, readonly [title: string, about: string]>> = {
  'packages/webhook-verifier/vectors.json': [
    'Test vectors',
    'Signed examples to test a verifier in any language.',
  ],
  'examples/receivers/receiver.mjs': receiverIn('Node'),
  'examples/receivers/receiver.py': receiverIn('Python'),
  'examples/receivers/receiver.go': receiverIn('Go'),
  'examples/receivers/receiver.php': receiverIn('PHP'),
  'examples/receivers/receiver.rb': receiverIn('Ruby'),
  'examples/receivers/Receiver.java': receiverIn('Java'),
  'examples/receivers/flask_app.py': recipeFor('Flask', 'receiver.py'),
  'examples/receivers/django_view.py': recipeFor('Django', 'receiver.py'),
  'examples/receivers/webhooks_controller.rb': recipeFor('Rails', 'receiver.rb'),
  'examples/receivers/WebhooksController.java': recipeFor('Spring', 'Receiver.java'),
};

const FILES: readonly PartnerDocsPage[] = (Object.keys(FILE_PATHS) as FilePath[]).map((from) => {
  const [title, about] = FILE_TITLES[from];
  const path = FILE_PATHS[from];
  const contentType = path.endsWith('.json') ? MEDIA_TYPES.json : MEDIA_TYPES.plain;
  return { path, title, about, contentType, text: FILE_TEXTS[from] };
});

function receiverIn(language: string): readonly [title: string, about: string] {
  return [
    `Receiver in ${language}`,
    'Receives and verifies webhooks with the standard library, in 45 lines.',
  ];
}

function recipeFor(framework: string, file: string): readonly [title: string, about: string] {
  return [`Receiver in ${framework}`, `Receives and verifies webhooks, beside \`${file}\`.`];
}

/** Whether a host serves the page. The quick start needs a sandbox key from its first step. */
function isServed(name: PageName, { sandbox, selfService }: HostFacts): boolean {
  if (name === 'quick-start-partner') return sandbox;
  return name !== 'events' || selfService.events === true;
}

/** Creates all files, from the pages of the repository and the facts of the host. */
export function createPartnerPages(facts: HostFacts): readonly PartnerDocsPage[] {
  const api = apiPages(facts);
  const sandbox = facts.sandbox ? [sandboxFile(facts)] : [];
  const names = PAGE_NAMES.filter((name) => isServed(name, facts));
  const served = new Set([
    ...names.map((name) => `${name}.md`),
    ...[...api, ...sandbox].map(({ path }) => path),
  ]);
  const guides = names.map((name) => {
    const text = hostPage(name, PAGE_TEXTS[name], facts, served);
    return {
      path: `${name}.md`,
      title: /^# (.+)$/m.exec(text)?.[1] ?? '',
      about: ABOUT[name],
      contentType: MEDIA_TYPES.markdown,
      text,
    };
  });
  const pages = [...guides, ...sandbox, ...api, ...FILES].map((page) =>
    page.contentType === MEDIA_TYPES.markdown
      ? { ...page, text: withSupport(page.text, facts.support) }
      : page,
  );
  const index = {
    path: 'llms.txt',
    title: 'Index',
    about: 'This list of all pages.',
    contentType: MEDIA_TYPES.plain,
    text: withSupport(llmsText(facts, pages), facts.support),
  };
  return withHtml(facts, [index, ...pages]);
}

function apiPages(facts: HostFacts): readonly PartnerDocsPage[] {
  const { origin, basePath, docsPath, limits, maxBodyBytes, selfService, support } = facts;
  const options = { origin, basePath, limits, maxBodyBytes, selfService };
  const document = createOpenApiDocument({ ...options, docsUrl: `${origin}${docsPath}`, support });
  return [
    {
      path: 'api.md',
      title: 'API reference',
      about: 'Every operation, webhook and field.',
      contentType: MEDIA_TYPES.markdown,
      text: apiMarkdown(document),
    },
    {
      path: 'openapi.json',
      title: 'OpenAPI 3.0 document',
      about: 'The same for generators of clients and types, and for Postman.',
      contentType: MEDIA_TYPES.json,
      text: `${JSON.stringify(document, null, 2)}\n`,
    },
  ];
}

function sandboxFile({ origin, basePath, limits, maxBodyBytes, selfService }: HostFacts): PartnerDocsPage {
  const options = { baseUrl: `${origin}${basePath}`, limits, maxBodyBytes, selfService };
  return {
    path: 'sandbox.md',
    title: 'The sandbox',
    about: 'Every address, job and error to test with.',
    contentType: MEDIA_TYPES.markdown,
    text: sandboxMarkdown(options),
  };
}
