import { randomBytes } from 'node:crypto';
import { createPrivateFile, readFileIfThere } from './private-file.js';
import type { Settings } from './settings.js';

/** Nobody guesses 128 bits. */
const PATH_BYTES = 16;

/**
 * Returns the path of the partner portal, whose random part the first start keeps beside the database. Browsers send the
 * cookies of `127.0.0.1` to all of its ports, so programs on other ports must not learn the path. Sessions outlive a restart,
 * so the path must, too.
 */
export function keptPortalPath(settings: Pick<Settings, 'portalPathFile'>): string {
  const { portalPathFile: file } = settings;
  const kept = readFileIfThere(file);
  if (kept !== null) return `/portal/${kept.trim()}`;
  // A concurrent start may create it first.
  createPrivateFile(file, `${randomBytes(PATH_BYTES).toString('base64url')}\n`);
  return keptPortalPath(settings);
}
