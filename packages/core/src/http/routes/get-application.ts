import { isIdOf } from '../../domain/ids.js';
import type { PartnerApi } from '../../partner/partner-api.js';
import { type Call, type Route, refused } from '../route.js';
import { decodeSegment } from '../target.js';
import { serializeApplication } from '../wire.js';

/**
 * Returns the application. An unknown id and an id of another key get the same reply.
 * Contract: 5.3.
 */
export function createGetApplication(partner: Pick<PartnerApi, 'readApplication'>): Route {
  return {
    bucket: 'read_application',
    applicationId,
    run: async (call) => {
      const application = call.application === undefined ? await find(partner, call) : call.application;
      if (application === null) return refused({ code: 'APPLICATION_NOT_FOUND' }, call.rate);
      return { kind: 'answered', status: 200, body: serializeApplication(application), rate: call.rate };
    },
  };
}

async function find(partner: Pick<PartnerApi, 'readApplication'>, { key, pathParameter }: Call) {
  const id = applicationId(pathParameter);
  return id === null ? null : partner.readApplication({ keyId: key.id, id });
}

function applicationId(pathParameter: string): string | null {
  const id = decodeSegment(pathParameter);
  return id !== null && isIdOf('application', id) ? id : null;
}
