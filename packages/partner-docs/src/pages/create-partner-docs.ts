import {
  createFetchHandler,
  type FetchHandler,
  type Handler,
  type HttpReply,
  type HttpRequest,
  resolveTarget,
} from '@partner-hiring/core';
import { createPrefixReader } from '@partner-hiring/core/contract';
import { type PartnerDocsOptions, readFacts } from './host-facts.js';
import { MEDIA_TYPES, type PartnerDocsPage } from './partner-docs-page.js';
import { createSites } from './sites.js';

/** The documentation for partners of one service, ready to mount or to write to files. */
export interface PartnerDocs {
  /** Serves the documentation under `docsPath`. The adapters mount it like the API. It never rejects. */
  readonly handler: Handler;
  readonly fetch: FetchHandler;
  /** All files, with their paths below `docsPath`. */
  readonly pages: readonly PartnerDocsPage[];
}

/** Requests have no body that matters. */
const DISCARD = { maxBytes: 64 * 1024, maxMs: 1_000 };

/** Long enough for a crawler, and short enough for a deploy. */
const CACHE_CONTROL = 'public, max-age=300';

const { markdown: MARKDOWN, plain: PLAIN } = MEDIA_TYPES;

/**
 * Creates the documentation for your partners, with your address and limits: each guide and the description of the API as
 * HTML and Markdown, `llms.txt`, and the OpenAPI document. The documentation is public and needs no key.
 * @throws OperatorError `MISCONFIGURED` if an option is missing, unknown or invalid.
 * @example
 * const docs = createPartnerDocs({ origin: 'https://hiring.example.com', sandbox: true });
 * await app.register(partnerHiringFastify(docs)); // serves /partner-docs, /partner-docs/webhooks, …
 */
export function createPartnerDocs(options: PartnerDocsOptions): PartnerDocs {
  const facts = readFacts(options);
  const prefixOf = createPrefixReader(facts.publicPath, (message) =>
    process.emitWarning(message, { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' }),
  );
  const siteOf = createSites(facts);
  const { pages } = siteOf(facts.publicPath ?? '');
  const index = `${facts.docsPath}/llms.txt`;

  const handle = async (request: HttpRequest): Promise<HttpReply> => {
    const [path = ''] = resolveTarget(request.target).split('?', 1);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead)
      return reply(request, 405, PLAIN, 'This documentation is read with GET.\n', { Allow: 'GET, HEAD' });
    const forwarded = request.headerValues('x-forwarded-prefix');
    const header = forwarded.length === 0 ? null : forwarded.join(', ');
    const site = siteOf(prefixOf(header, () => request.isFromTrustedProxy?.() === true));
    const page = site.find(path === facts.docsPath ? index : path);
    if (page === null) return reply(request, 404, PLAIN, `No such page. All pages: ${site.index}\n`);
    const found = path === facts.docsPath ? indexReply(request, page) : pageReply(request, page, path);
    if (facts.publicPath !== null || header === null) return found;
    // A shared cache does not know the prefix that the last proxy named.
    return { ...found, headers: { ...found.headers, 'Cache-Control': 'private, max-age=300' } };
  };
  const handler: Handler = Object.assign(handle, { basePath: facts.docsPath });
  return { handler, fetch: createFetchHandler(handler), pages };
}

const cached = { 'Cache-Control': CACHE_CONTROL };

/** The folder itself is HTML for browsers. Other clients get `llms.txt`. */
function indexReply(request: HttpRequest, { contentType, text, html }: PartnerDocsPage): HttpReply {
  const varied = { ...cached, Vary: 'Accept' };
  if (html === undefined || !accepts(request, 'text/html'))
    return reply(request, 200, contentType, text, varied);
  return reply(request, 200, html.headers['Content-Type'], html.text, { ...html.headers, ...varied });
}

/** A path without an ending is HTML. Clients that ask for Markdown get that. */
function pageReply(
  request: HttpRequest,
  { path, contentType, text, html }: PartnerDocsPage,
  asked: string,
): HttpReply {
  if (contentType !== MARKDOWN || asked.endsWith('.md'))
    return reply(request, 200, contentType, text, cached);
  const varied = { ...cached, Vary: 'Accept', Link: `<${path}>; rel="alternate"; type="text/markdown"` };
  if (html === undefined || accepts(request, 'text/markdown'))
    return reply(request, 200, MARKDOWN, text, varied);
  return reply(request, 200, html.headers['Content-Type'], html.text, { ...html.headers, ...varied });
}

/** Whether the client names the media type and does not exclude it. Wildcards do not count. */
function accepts(request: HttpRequest, type: string): boolean {
  return request
    .headerValues('accept')
    .flatMap((value) => value.toLowerCase().split(','))
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(([name, ...parameters]) => name === type && !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one)));
}

function reply(
  { method }: HttpRequest,
  status: number,
  contentType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  return {
    status,
    headers: {
      'Cache-Control': 'no-store',
      ...headers,
      'Content-Type': contentType,
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Content-Type-Options': 'nosniff',
    },
    body: method === 'HEAD' ? '' : body,
    discard: DISCARD,
  };
}
