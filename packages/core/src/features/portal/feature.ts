import { withDefaults } from '../../domain/optional.js';
import { RATE_LIMITS } from '../../domain/rate-limit.js';
import type { Feature } from '../feature.js';
import { checkPortalUrl } from './check-options.js';
import { portalDefinitions } from './commands.js';
import { createPartnerView } from './partner-view.js';
import { routeLimits } from './route-limits.js';

export const portalFeature: Feature = {
  name: 'portal',
  needs: ['readiness', 'request-log', 'self-service'],
  checkOptions: ({ portalUrl }) => checkPortalUrl(portalUrl),
  commands: { portal: portalDefinitions },
  views: (actAsPartner) => ({ forPartner: (access) => createPartnerView(access, actAsPartner) }),
  settings: ({ limits, selfService, portalUrl }) => ({
    limitsOf: routeLimits(withDefaults(RATE_LIMITS, limits), selfService ?? {}),
    portalUrl: portalUrl ?? null,
  }),
  make: () => ({
    sweeps: [
      {
        kind: 'portalPasses',
        rows: 'links and sessions of the portal',
        remove: (r, ...by) => r.portalPasses.sweep(...by),
      },
    ],
  }),
};
