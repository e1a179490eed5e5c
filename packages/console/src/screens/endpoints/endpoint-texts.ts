import type { EndpointState, PauseReason } from '@partner-hiring/core';

const REASONS: Readonly<Record<PauseReason, string>> = {
  consecutive_failures: 'too many attempts failed in a row',
  no_success: 'no attempt succeeded for 24 hours',
  gone: 'it answered 410 Gone',
  operator: 'somebody paused it',
  partner: 'the partner paused it',
  partner_disabled: 'its partner is disabled',
  partner_removed: 'its partner was removed',
  copied: 'the database is a copy that was claimed',
};

/** Says why an endpoint is paused. */
export function pauseText(reason: PauseReason): string {
  return REASONS[reason];
}

/** Whether the platform itself keeps an endpoint paused. Then a pause of the platform changes nothing. */
export function isKeptPaused(state: EndpointState): boolean {
  return state.kind === 'paused' && ['operator', 'partner_removed', 'copied'].includes(state.reason);
}
