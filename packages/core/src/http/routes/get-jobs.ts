import type { PartnerApi } from '../../partner/partner-api.js';
import type { WorkOnLongPage } from '../long-pages.js';
import type { Route } from '../route.js';
import { serializeJobs } from '../wire.js';
import { answerList } from './list-reply.js';

/** Lists the open jobs that the key sees, in the order of its feed. Spec: `GET /jobs`. */
export function createGetJobs(partner: Pick<PartnerApi, 'listJobs'>, workOnLongPage: WorkOnLongPage): Route {
  const definition = {
    list: 'jobs',
    page: partner.listJobs,
    serialize: serializeJobs,
    workOnLongPage,
  } as const;
  return { bucket: 'list_jobs', run: (call) => answerList(definition, call) };
}
