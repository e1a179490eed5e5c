import type { PartnerApi } from '../../partner/partner-api.js';
import type { WorkOnLongPage } from '../long-pages.js';
import type { Route } from '../route.js';
import { serializeApplications } from '../wire.js';
import { answerList } from './list-reply.js';

/** Lists the key's own applications, in the order of its feed. Spec: `GET /applications`. */
export function createGetApplications(
  partner: Pick<PartnerApi, 'listApplications'>,
  workOnLongPage: WorkOnLongPage,
): Route {
  const definition = {
    list: 'applications',
    page: partner.listApplications,
    serialize: serializeApplications,
    workOnLongPage,
  } as const;
  return { bucket: 'list_applications', run: (call) => answerList(definition, call) };
}
