/**
 * How serious a finding is. `security`: others can forge events. `fault`: events get lost, or the endpoint will be
 * paused. `warning`: the receiver works and still passes.
 */
export type FindingSeverity = 'security' | 'fault' | 'warning';

/** The text of a finding. */
export interface FindingText {
  readonly severity: FindingSeverity;
  /** What the receiver did. */
  readonly summary: string;
  /** The consequence. */
  readonly meaning: string;
  /** How to fix it. */
  readonly remedy: string;
  /** The heading in the webhook guide. */
  readonly guide: string;
}

/** Headings of the webhook guide. */
export const DUTIES = 'What a receiver does';
export const VERIFIER = 'With the verifier';
export const BY_HAND = 'Without it';
export const RETRIES = 'Retries and pauses';

export const USE_VERIFIER = 'Or use verifyWebhook of @partner-hiring/webhook-verifier.';
