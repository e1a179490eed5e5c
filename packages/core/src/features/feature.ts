/** The name of a feature, which is the name of its room in each package. */
export type FeatureName =
  | 'alerts'
  | 'audit'
  | 'events-feed'
  | 'inbox'
  | 'jobs-sync'
  | 'operations'
  | 'portal'
  | 'privacy'
  | 'readiness'
  | 'request-log'
  | 'resumes'
  | 'sandbox'
  | 'search'
  | 'self-service'
  | 'system'
  | 'timelines';

/** What a feature declares. The parts of the product read it, and name no feature themselves. */
export interface Feature {
  readonly name: FeatureName;
  /** The features whose files it imports. Leaving one of them out leaves this one out too. */
  readonly needs?: readonly FeatureName[];
}
