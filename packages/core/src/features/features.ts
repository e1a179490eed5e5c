import type { Feature } from './feature.js';

/** All features, in the order in which their rows are locked. */
export const FEATURES: readonly Feature[] = [
  { name: 'resumes' },
  { name: 'inbox' },
  { name: 'audit' },
  { name: 'operations' },
  { name: 'self-service' },
  { name: 'alerts', needs: ['inbox', 'self-service'] },
  { name: 'events-feed' },
  { name: 'request-log' },
  { name: 'readiness', needs: ['request-log'] },
  { name: 'jobs-sync', needs: ['alerts', 'operations'] },
  { name: 'sandbox' },
  { name: 'privacy', needs: ['inbox', 'request-log'] },
  { name: 'timelines', needs: ['audit', 'inbox', 'request-log'] },
  { name: 'search', needs: ['operations', 'privacy', 'request-log'] },
  { name: 'system', needs: ['inbox', 'search'] },
  { name: 'portal', needs: ['readiness', 'request-log', 'self-service'] },
];
