import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'applications.move': ({ applicationId: id }) => ({ id, stage: 'video_interview' }),
  'applications.decide': ({ applicationId: id }) => ({ id, decision: 'accepted' }),
  'applications.updateResume': ({ applicationId: id }) => ({ id, fetch: 'again' }),
  'applications.find': ({ applicationId: id }) => ({ id }),
  'applications.list': ({ jobId }) => ({ jobId, status: 'received' }),
  'applications.count': ({ jobId }) => ({ jobId, status: 'received' }),
};
