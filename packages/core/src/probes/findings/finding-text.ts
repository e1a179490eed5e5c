/**
 * How serious a finding is. `security`: others can forge events. `fault`: events get lost, or the service will pause
 * the endpoint. `warning`: the receiver works, and the certification still passes.
 */
export type FindingSeverity = 'security' | 'fault' | 'warning';

/** The severity and the texts of a finding. */
export interface FindingText {
  readonly severity: FindingSeverity;
  /** What the receiver did. */
  readonly summary: string;
  /** The consequence. */
  readonly meaning: string;
  /** How to fix it. */
  readonly remedy: string;
  /** The heading of the section in the webhook guide that explains the fix. */
  readonly guide: string;
}

/** Returns the findings of one severity, by their codes. */
export function ofSeverity<Code extends string>(
  severity: FindingSeverity,
  texts: Readonly<Record<Code, Omit<FindingText, 'severity'>>>,
): Readonly<Record<Code, FindingText>> {
  const findings = Object.entries<Omit<FindingText, 'severity'>>(texts);
  return Object.fromEntries(findings.map(([code, text]) => [code, { severity, ...text }])) as Readonly<
    Record<Code, FindingText>
  >;
}

/** Headings of the webhook guide that findings refer to. */
export const DUTIES = 'What a receiver does';
export const VERIFIER = 'With the verifier';
export const BY_HAND = 'Without it';
export const RETRIES = 'Retries and pauses';

export const USE_VERIFIER = 'Alternatively, use verifyWebhook of @partner-hiring/webhook-verifier.';
