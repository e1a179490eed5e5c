import type { Inputs } from '../inputs.js';
import { PICKER } from '../stage.js';

const DETAILS = {
  ...PICKER,
  schedule: 'full_time',
  headcount: { total: 3, filled: 1 },
  applicationFormSchema: [
    { key: 'nights', label: 'Do you work nights?', type: 'boolean', required: true },
    {
      key: 'shift',
      label: 'Which shift?',
      type: 'single_select',
      required: false,
      options: [{ value: 'early', label: 'Early' }],
    },
  ],
};

export const INPUTS: Inputs = {
  'jobs.publish': ({ companyId, jobId }) => ({ ...DETAILS, companyId, id: `${jobId}_2`, state: 'open' }),
  'jobs.publishInSteps': ({ companyId, jobId }) => [
    { ...DETAILS, companyId, id: `${jobId}_3`, state: 'open' },
  ],
  'jobs.update': ({ jobId: id }) => ({ id, changes: DETAILS }),
  'jobs.close': ({ jobId: id }) => ({ id }),
  'jobs.closeAll': ({ companyId }) => ({ companyId }),
  'jobs.reopen': ({ jobId: id }) => ({ id, from: 'closed' }),
  'jobs.archive': ({ jobId: id }) => ({ id }),
  'jobs.setVisibility': ({ jobId: id }) => ({ id, visibility: 'internal_only' }),
  'jobs.put': ({ companyId, jobId }) => ({ ...DETAILS, companyId, id: `${jobId}_4`, state: 'open' }),
  'jobs.syncs.run': () => ({
    source: [],
    missing: 'keep',
    missingShareAtMost: 0.5,
    adopt: true,
    dryRun: true,
  }),
  'jobs.listHeld': ({ companyId }) => ({ companyId }),
  'jobs.syncs.last': () => undefined,
  'jobs.syncs.request': ({ heldOperationId: applyHeld }) => ({ applyHeld }),
  'jobs.find': ({ jobId: id }) => ({ id }),
  'jobs.list': ({ companyId }) => ({ companyId, state: 'open' }),
  'jobs.count': ({ companyId }) => ({ companyId, state: 'open' }),
};
