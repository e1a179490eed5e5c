/** Where an application stands inside the host, finer than its status. */
export type Stage =
  | 'initial_outreach'
  | 'video_interview'
  | 'under_review'
  | 'final_review'
  | 'hired'
  | 'closed';

/** The label of each stage on the wire. Spec: Resources, current stage labels. */
export const STAGE_LABELS = {
  initial_outreach: 'Initial Outreach',
  video_interview: 'Video Interview',
  under_review: 'Under Review',
  final_review: 'Final Review',
  hired: 'Hired',
  closed: 'Closed',
} as const satisfies Record<Stage, string>;
