import type { Feature } from '../feature.js';
import { checkSelfService } from './check-options.js';
import { createEndpointSelfService } from './endpoint-acts.js';
import { ownPaths } from './routes.js';

export const selfServiceFeature: Feature = {
  name: 'self-service',
  checkOptions: ({ selfService }) => checkSelfService(selfService),
  make({ options: { selfService: rights = {} }, actAsPartner }) {
    const service = createEndpointSelfService(actAsPartner);
    return { paths: (parts) => ownPaths({ rights, service }, parts) };
  },
};
