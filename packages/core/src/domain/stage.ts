/** Finer than the status. */
export type Stage =
  | 'initial_outreach'
  | 'video_interview'
  | 'under_review'
  | 'final_review'
  | 'hired'
  | 'closed';

/** Spec: Resources, current stage labels. */
export const STAGE_LABELS = {
  initial_outreach: 'Initial Outreach',
  video_interview: 'Video Interview',
  under_review: 'Under Review',
  final_review: 'Final Review',
  hired: 'Hired',
  closed: 'Closed',
} as const satisfies Record<Stage, string>;

/** The label of a stage, for people. */
export type StageLabel = (typeof STAGE_LABELS)[Stage];
