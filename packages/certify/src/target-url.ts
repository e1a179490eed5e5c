import { CertifyError } from './certify-error.js';

const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Reads the URL of a receiver as the service would take it: https, without credentials. Plain http only to this
 * machine.
 *
 * @throws CertifyError `INVALID_OPTIONS`
 */
export function readTargetUrl(given: string | URL): URL {
  if (!URL.canParse(String(given))) {
    throw invalid('The URL must be absolute, such as https://ats.example.com/webhooks.');
  }
  const url = new URL(given);
  if (url.username !== '' || url.password !== '') {
    throw invalid('The URL must carry no user or password: the service takes none either.');
  }
  if (url.protocol === 'https:') return url;
  if (url.protocol === 'http:' && LOOPBACK.test(url.hostname)) return url;
  throw invalid(
    'The URL must be https. Plain http is for receivers on this machine: http://localhost:<port>/...',
  );
}

/** The URL as a report may show it: a query may hold a token. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}

function invalid(message: string): CertifyError {
  return new CertifyError('INVALID_OPTIONS', message);
}
