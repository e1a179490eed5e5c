import type { OwnFailure, OwnRefusal, PortalEndpoint, WaitingEvents } from '@partner-hiring/core';
import { SlowWords } from '../../screens/parts/slow-words.js';
import { StateBadge, Time, type Tone } from '../../view/parts.js';

const PAUSES: Readonly<Record<NonNullable<PortalEndpoint['pausedReason']>, string>> = {
  consecutive_failures: ', because too many attempts in a row failed',
  no_success: ', because no attempt succeeded for 24 hours',
  gone: ', because your endpoint answered 410 Gone',
  operator: ' by us',
  partner: ' by you',
  partner_disabled: ', because your account is disabled',
  partner_removed: ', because your account has ended',
};

/** An endpoint's state, as its partner may know it. */
export type ShownState = Pick<PortalEndpoint, 'state' | 'pausedReason' | 'pausedAt' | 'failingSince' | 'gap'>;

/** Says when and why an endpoint was paused, after the word `paused`. */
export function PausedWords({ shown: { pausedAt, pausedReason } }: { readonly shown: ShownState }) {
  return (
    <>
      <Time at={pausedAt} isExact />
      {pausedReason === null ? null : PAUSES[pausedReason]}
    </>
  );
}

/** Whether the partner itself can end a pause. */
export function canResume({ pausedReason }: Pick<PortalEndpoint, 'pausedReason'>): boolean {
  return ![null, 'operator', 'partner_disabled', 'partner_removed'].includes(pausedReason);
}

/** Says how an endpoint is. The colour only repeats it. */
export function stateOf({ state, failingSince }: ShownState): readonly [text: string, tone: Tone] {
  if (state === 'paused') return ['paused', 'warn'];
  return failingSince === null ? ['active', 'good'] : ['failing', 'bad'];
}

interface StateWordsProps {
  readonly shown: ShownState;
  readonly waiting?: WaitingEvents | undefined;
}

/** The state of an endpoint, and since when and why it is paused, sent to slowly, or fails. */
export function StateWords({ shown, waiting }: StateWordsProps) {
  const { state, failingSince, gap } = shown;
  const [text, tone] = stateOf(shown);
  return (
    <>
      <StateBadge state={text} tone={tone} />{' '}
      {state === 'paused' ? (
        <PausedWords shown={shown} />
      ) : gap !== null ? (
        <SlowWords gap={gap} waiting={waiting} />
      ) : failingSince === null ? null : (
        <>
          started <Time at={failingSince} isExact />
        </>
      )}
    </>
  );
}

const REFUSALS: Readonly<
  Record<Exclude<OwnRefusal['kind'], 'invalid_url' | 'not_proven' | 'too_many_secrets'>, string>
> = {
  no_endpoint: 'This key has no webhook endpoint yet. Add its URL first.',
  no_event: 'This event is no longer stored, so it cannot be resent.',
  paused_by_operator: 'We paused this endpoint, and only we can resume it. Ask the support.',
  cancelled_by_operator: 'We cancelled this event, and only we can resend it. Ask the support.',
  already_resending: 'Events of this key are being resent already. Wait until that is done.',
  key_ended: 'This key no longer works, so nothing was changed. Ask the support.',
  no_network: 'We could not reach any address just now, so nothing was changed. Try again in a minute.',
  invalid_cursor: 'This page of the list has changed. Start again from the first page.',
};

const UNPROVEN: Readonly<Record<OwnFailure['kind'], string>> = {
  status: 'It answered our test event with an error. It must answer with a status from 200 to 299.',
  timeout: 'It did not answer our test event within 30 seconds.',
  tls: 'We could not make a secure connection: check its certificate, with all intermediate ones.',
  refused: 'We could not connect to it. It must be reachable from the internet, at a public address.',
};

/** Says in plain words why an act on the endpoint did nothing. */
export function refusalWords(refusal: OwnRefusal): string {
  switch (refusal.kind) {
    case 'invalid_url':
      return `The URL ${refusal.rule}.`;
    case 'not_proven':
      return `${UNPROVEN[refusal.failure]} Nothing was changed.`;
    case 'too_many_secrets':
      return refusal.message;
    default:
      return REFUSALS[refusal.kind];
  }
}
