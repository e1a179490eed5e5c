import { type Inputs, WINDOW } from '../inputs.js';

export const INPUTS: Inputs = {
  'timelines.find': ({ applicationId }) => ({ applicationId, ...WINDOW, limit: 9 }),
};
