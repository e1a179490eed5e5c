import { hideQuery } from '../../domain/endpoint.js';
import type { Own, OwnEndpoint } from '../self-service/service.js';
import type { PortalRight } from './rules.js';

/** Shows endpoints to a person: without the right `url`, the query of the URL is hidden. */
export function showUrlsTo(rights: readonly PortalRight[]) {
  const show = <Shown extends { readonly url: string }>(endpoint: Shown) =>
    rights.includes('url') ? endpoint : hideQuery(endpoint);
  async function showOwn(act: Promise<Own<OwnEndpoint>>): Promise<Own<OwnEndpoint>> {
    const own = await act;
    return own.kind === 'done' ? { ...own, result: show(own.result) } : own;
  }
  return { show, showOwn };
}
