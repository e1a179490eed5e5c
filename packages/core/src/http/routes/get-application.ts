import { isIdOf } from '../../domain/ids.js';
import type { PartnerApi } from '../../partner/partner-api.js';
import { type Call, type Route, refused } from '../route.js';
import { decodeSegment } from '../target.js';
import { spellApplication } from '../wire.js';

/**
 * Reads one of the key's own applications. Unknown, another key's and the other world's are the same to the
 * byte. Spec: `GET /applications/{id}`.
 */
export function createGetApplication(partner: Pick<PartnerApi, 'readApplication'>): Route {
  return {
    bucket: 'read_application',
    run: async (call) => {
      const application = await find(partner, call);
      if (application === null) return refused({ code: 'APPLICATION_NOT_FOUND' }, call.rate);
      return { kind: 'answered', status: 200, body: spellApplication(application), rate: call.rate };
    },
  };
}

/** What cannot be an identifier needs no look-up. */
async function find(partner: Pick<PartnerApi, 'readApplication'>, { key, pathParameter }: Call) {
  const id = decodeSegment(pathParameter);
  if (id === null || !isIdOf('application', id)) return null;
  return partner.readApplication({ keyId: key.id, id });
}
