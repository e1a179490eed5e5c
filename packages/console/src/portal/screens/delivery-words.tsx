import { type DeliveryState, failureWords, type KeyId, type PortalDelivery } from '@partner-hiring/core';
import { StateBadge, Time } from '../../view/parts.js';
import type { PortalCall } from '../portal-call.js';

/** The states of deliveries in the words of the pages. */
export const STATES: Readonly<Record<DeliveryState, string>> = {
  delivered: 'Delivered',
  pending: 'Not delivered yet',
  dead: 'Failed ten times',
  cancelled: 'Cancelled by us',
};

/** The facts that the words about a delivery need. */
export interface DeliveryStandingWord {
  readonly now: number;
  readonly isPaused: boolean;
  /** Whether the endpoint is sent to slowly. */
  readonly isSlowed: boolean;
}

/** Reads the standing of the endpoint of a key, if there is one. Without the right to see the endpoint, it counts as active. */
export async function deliveryStandingOf(
  call: PortalCall,
  keyId: KeyId | null,
): Promise<DeliveryStandingWord> {
  const [now, endpoint] = await Promise.all([
    call.own.now(),
    keyId !== null && call.may('endpoint') ? call.own.endpoint(keyId) : null,
  ]);
  const isSlowed = endpoint !== null && endpoint.gap !== null;
  return { now, isPaused: endpoint?.state === 'paused', isSlowed };
}

/** Whether an event is sent without another act: in a moment, or when a paused endpoint is resumed. */
export function isAboutToBeSent(
  { state, nextAttemptAt }: Pick<PortalDelivery, 'state' | 'nextAttemptAt'>,
  { now }: DeliveryStandingWord,
): boolean {
  return state === 'pending' && (nextAttemptAt ?? 0) <= now;
}

interface FailureAtProps {
  readonly failure: Parameters<typeof failureWords>[0];
  readonly at: number | null;
  readonly isExact?: boolean;
}

/** Says why an attempt failed, and when. */
export function FailureAt({ failure, at, isExact = false }: FailureAtProps) {
  if (at === null) return <>{failureWords(failure)}</>;
  return (
    <>
      {`${failureWords(failure)}, `}
      <Time at={at} isExact={isExact} />
    </>
  );
}

/** The state of an event. One that is resent was delivered before. */
export function DeliveryBadge({ shown }: { readonly shown: Pick<PortalDelivery, 'state' | 'deliveredAt'> }) {
  const { state, deliveredAt } = shown;
  if (state === 'pending' && deliveredAt !== null) return <StateBadge state="will be resent" tone="calm" />;
  const tones = { delivered: 'good', pending: 'calm', dead: 'bad', cancelled: 'warn' } as const;
  return <StateBadge state={STATES[state].toLowerCase()} tone={tones[state]} />;
}

interface NextAttemptProps {
  readonly shown: Pick<PortalDelivery, 'state' | 'nextAttemptAt'>;
  readonly standing: DeliveryStandingWord;
}

/** When the next attempt is. */
export function NextAttempt({ shown, standing }: NextAttemptProps) {
  if (shown.state === 'pending' && standing.isPaused) return <>when sending resumes</>;
  if (isAboutToBeSent(shown, standing))
    return <>{standing.isSlowed ? 'in its turn: we send slowly' : 'in a moment'}</>;
  return <Time at={shown.nextAttemptAt} />;
}
