import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'inbox.turn': () => ({ on: true, changes: 'staff' }),
  'inbox.take': () => ({ limit: 9, leaseMs: 60_000 }),
  'inbox.acknowledge': ({ applicationId }) => [`${applicationId}.1`],
  'inbox.list': () => ({ state: 'parked', limit: 9 }),
  'inbox.retry': ({ applicationId }) => ({ ids: [`${applicationId}.1`] }),
};
