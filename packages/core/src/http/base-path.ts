import { OperatorError } from '../errors.js';

/** Where the API is served. Spec: Versioning. */
export const DEFAULT_BASE_PATH = '/api/v1/external';

/**
 * A base path without a slash at its end; the root is empty.
 *
 * @throws OperatorError `MISCONFIGURED` for what no request target could begin with.
 */
export function readBasePath(text: string): string {
  const path = String(text).replace(/\/$/, '');
  if (/^(?:\/[A-Za-z0-9._~-]+)*$/.test(path)) return path;
  throw new OperatorError(
    'MISCONFIGURED',
    '`basePath` must begin with a slash and consist of letters, digits and `-._~`, for example "/api/v1/external".',
  );
}
