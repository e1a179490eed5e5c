import type { Admission, PartnerApi } from '../partner/partner-api.js';
import type { HttpRequest } from './message.js';
import type { Route } from './route.js';

/**
 * Asks who is calling, and whether they may. This comes first on every route, unknown ones included, so that nobody
 * without a key learns what there is. Spec: Authentication, 1 and 5.
 */
export function authenticate(
  partner: Pick<PartnerApi, 'admit'>,
  request: HttpRequest,
  route: Route | null,
  pathParameter: string,
): Promise<Admission> {
  return partner.admit({
    authorization: request.headerValues('authorization'),
    clientAddress: request.clientAddress,
    bucket: route?.bucket ?? null,
    applicationId: route?.applicationId?.(pathParameter) ?? null,
  });
}
