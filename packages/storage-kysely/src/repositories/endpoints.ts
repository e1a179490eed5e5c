import type { EndpointRepository } from '@partner-hiring/core/ports';
import type { Prepare } from '../preparation.js';
import { prepareEndpointBacklogs } from './endpoints/endpoint-backlogs.js';
import { prepareEndpointLeases } from './endpoints/endpoint-leases.js';
import { prepareFindEndpoints } from './endpoints/find-endpoints.js';
import { prepareMarkIdle } from './endpoints/mark-idle.js';
import { prepareSaveEndpoint } from './endpoints/save-endpoint.js';
import { prepareSettleEndpoints } from './endpoints/settle-endpoints.js';

/** Endpoints. What a worker looks for goes through other repositories too, and is bound beside them. */
export const prepareEndpoints: Prepare<Omit<EndpointRepository, 'poll'>> = (preparation) => {
  const bindFind = prepareFindEndpoints(preparation);
  const bindSave = prepareSaveEndpoint(preparation);
  const bindLeases = prepareEndpointLeases(preparation);
  const bindMarkIdle = prepareMarkIdle(preparation);
  const bindSettle = prepareSettleEndpoints(preparation);
  const bindBacklogs = prepareEndpointBacklogs(preparation);

  return (session) => ({
    ...bindFind(session),
    ...bindSave(session),
    ...bindLeases(session),
    ...bindMarkIdle(session),
    ...bindSettle(session),
    ...bindBacklogs(session),
  });
};
