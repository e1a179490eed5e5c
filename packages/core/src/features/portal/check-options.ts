import { misconfiguration } from '../../errors.js';
import { isPortalUrl, PORTAL_URL_RULE } from './rules.js';

/** No query and no fragment, because the paths of pages are appended. */
const PORTAL_URL = /^https?:\/\/[\w.:[\]-]+(?:\/[\w.~-]+)*\/?$/;

/** Checks the option `portalUrl`. @throws OperatorError `MISCONFIGURED` */
export function checkPortalUrl(url: unknown): void {
  if (url === undefined || (typeof url === 'string' && PORTAL_URL.test(url) && isPortalUrl(url))) return;
  throw misconfiguration(`\`portalUrl\` ${PORTAL_URL_RULE}. Omit it if partners have no portal.`);
}
