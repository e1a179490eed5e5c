/**
 * How much a finding matters. `security`: somebody else can act in the service's name. `fault`: events are lost, or
 * the endpoint will be paused. `warning`: it works, and should be looked at; it fails no certification.
 */
export type FindingSeverity = 'security' | 'fault' | 'warning';

/** What a finding says, whatever receiver it was found in. */
export interface FindingText {
  readonly severity: FindingSeverity;
  /** What the receiver did. */
  readonly summary: string;
  /** What follows from it. */
  readonly meaning: string;
  /** How to mend it. */
  readonly remedy: string;
  /** The heading to read on under, in the webhook guide. */
  readonly guide: string;
}
