import { misconfiguration } from '@partner-hiring/core/contract';

/** Text that a shell takes literally. */
const LITERAL = /^[\w.~:/[\]-]+$/;

const SANDBOX_KEY = /^pek_test_[\w-]+$/;

interface Given {
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
}

interface Read {
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
}

/** Checks what the page puts into commands. @throws OperatorError `MISCONFIGURED` */
export function readGuideOptions({ baseUrl, apiKey }: Given): Read {
  return {
    baseUrl: baseUrl === undefined ? null : readBaseUrl(baseUrl),
    apiKey: apiKey === undefined ? null : readSandboxKey(apiKey),
  };
}

/** Checks the URL that the page links to. @throws OperatorError `MISCONFIGURED` */
export function readDocsUrl(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw misconfiguration(
    '`docsUrl` must be the URL of the documentation, for example "https://hiring.example.com/partner-docs".',
  );
}

function readBaseUrl(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url) && LITERAL.test(url)) return url.replace(/\/$/, '');
  throw misconfiguration(
    '`baseUrl` must be the URL of the API with its base path, for example "https://hiring.example.com/api/v1/external".',
  );
}

function readSandboxKey(key: string): string {
  if (SANDBOX_KEY.test(key)) return key;
  throw misconfiguration(
    '`apiKey` must be a sandbox key (`pek_test_…`). Never show a production key on a page.',
  );
}
