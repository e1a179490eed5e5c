import { expect, test } from 'vitest';
import { STAGE_LABELS } from './application.js';

test.each([
  ['initial_outreach', 'Initial Outreach'],
  ['video_interview', 'Video Interview'],
  ['under_review', 'Under Review'],
  ['final_review', 'Final Review'],
  ['hired', 'Hired'],
  ['closed', 'Closed'],
] as const)('the stage %s is labelled %s', (stage, label) => {
  expect(STAGE_LABELS[stage]).toBe(label);
});
