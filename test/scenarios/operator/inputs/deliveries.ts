import { type Inputs, WINDOW } from '../inputs.js';

export const INPUTS: Inputs = {
  'deliveries.list': ({ keyId, applicationId }) => ({
    keyId,
    applicationId,
    state: 'pending',
    type: 'job.opened',
    onlyFailing: true,
    waits: 'later',
    ...WINDOW,
  }),
  'deliveries.listAttempts': ({ keyId }) => ({ keyId, ...WINDOW }),
  'deliveries.find': ({ keyId, eventId }) => ({ keyId, eventId }),
  'deliveries.count': ({ keyId }) => ({ keyId }),
  'deliveries.resend': ({ keyId, eventId }) => ({ keyId, eventIds: [eventId] }),
  'deliveries.cancel': ({ keyId, eventId }) => ({ keyId, eventId }),
};
