import type { ListOptions } from '../listing.js';

/** What a sync asks of a list, besides since when. */
export function listFilter(companyId: string | undefined, signal: AbortSignal | undefined): ListOptions {
  return { ...(companyId === undefined ? {} : { companyId }), ...(signal === undefined ? {} : { signal }) };
}
