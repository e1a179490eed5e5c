import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'keys.issue': ({ newPartnerId: partnerId }) => ({
    partnerId,
    environment: 'production',
    endpointUrl: 'https://ats.example/hooks',
    override: { reason: 'ticket 815' },
  }),
  'keys.rotate': ({ keyId: id }) => ({ id, overlapMs: 0 }),
  'keys.revoke': ({ keyId: id }) => ({ id, all: true }),
  'keys.lowerLimits': ({ keyId: id }) => ({
    id,
    perMinute: {
      submit_application: 1,
      read_application: 2,
      list_applications: 3,
      list_jobs: 4,
      list_events: 5,
      webhook_endpoint: 6,
      guard: 7,
    },
    reason: 'Reads all jobs each second',
    forMs: 3_600_000,
  }),
  'keys.liftLimits': ({ keyId: id }) => ({ id }),
  'keys.find': ({ keyId: id }) => ({ id }),
  'keys.list': ({ partnerId }) => ({ partnerId }),
  'keys.probe': ({ keyId: id }) => ({ id }),
  'keys.readiness': ({ keyId: id }) => ({ id }),
};
