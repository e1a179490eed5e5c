import type { Actor, Endpoint, EndpointState, KeyId } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import type { DoneName, RefusedName } from '../../http/notices.js';
import type { ScreenCall } from '../../http/screen.js';
import { type FactRow, Time } from '../../view/parts.js';
import { actorName } from '../parts/act-words.js';
import { EndpointBadge } from '../parts/badges.js';
import { RefusedAct } from '../parts/define-act.js';
import { outcomeSentence } from '../parts/outcome-text.js';
import { SlowWords } from '../parts/slow-words.js';
import { pauseText } from './endpoint-texts.js';

/** The state of a paused endpoint. */
type PausedState = Extract<EndpointState, { readonly kind: 'paused' }>;

/** The audit records the pause when it commits, a little after the endpoint was read as active. */
const COMMIT_MS = 60_000;

interface PauseWordsProps {
  readonly gate: Gate;
  readonly keyId: KeyId;
  readonly state: PausedState;
}

/** Says who paused an endpoint, when and why, such as `Kim Park paused it 5 Jan 2026, 09:02 UTC, no reason given`. */
export async function PauseWords({ gate, keyId, state: { reason, pausedAt } }: PauseWordsProps) {
  const actor = reason === 'operator' ? await findActor(gate, keyId, pausedAt) : null;
  return (
    <>
      {actor === null ? pauseText(reason) : `${actorName({ actor })} paused it`} <Time at={pausedAt} />
      {actor === null ? null : actor.reason === null ? ', no reason given' : `, reason: ${actor.reason}`}
    </>
  );
}

/** Says how an endpoint is, since when, and why. */
export function EndpointWords({ gate, endpoint }: { readonly gate: Gate; readonly endpoint: Endpoint }) {
  const { keyId, state, health } = endpoint;
  const { firstFailureAt, lastFailure, gap } = health;
  return (
    <>
      <EndpointBadge state={state} isFailing={firstFailureAt !== null} />{' '}
      {state.kind === 'paused' ? (
        <PauseWords gate={gate} keyId={keyId} state={state} />
      ) : gap !== null ? (
        <SlowWords gap={gap} />
      ) : firstFailureAt === null ? null : (
        <>
          since <Time at={firstFailureAt} />: {outcomeSentence(lastFailure)}
        </>
      )}
    </>
  );
}

/** Null for an actor who may not read the audit, and if the entry is no longer stored. */
async function findActor(gate: Gate, keyId: KeyId, pausedAt: number): Promise<Actor | null> {
  if (!gate.may('audit:read')) return null;
  const { items } = await gate.call('audit.list', {
    object: { kind: 'endpoint', id: keyId },
    since: pausedAt,
    until: pausedAt + COMMIT_MS,
  });
  const isPause = ({ act, after }: (typeof items)[number]) =>
    act === 'endpoints.pause' && after?.pausedReason === 'operator';
  return items.findLast(isPause)?.actor ?? null;
}

/** Returns the pause of a key's endpoint. Null if it is active, or if the actor may not read endpoints. */
export async function findPause(gate: Gate, keyId: KeyId): Promise<PausedState | null> {
  const endpoint = await findShownEndpoint(gate, keyId);
  return endpoint?.state.kind === 'paused' ? endpoint.state : null;
}

/** Returns the endpoint of a key. Null without one, and for an actor who may not read endpoints. */
export async function findShownEndpoint(gate: Gate, keyId: KeyId): Promise<Endpoint | null> {
  return gate.may('endpoints:read') ? gate.call('endpoints.find', { keyId }) : null;
}

/** The fact of a confirmation that events wait for a paused endpoint. Empty if the endpoint is active. */
export async function pauseFacts(gate: Gate, keyId: KeyId): Promise<readonly FactRow[]> {
  const state = await findPause(gate, keyId);
  if (state === null) return [];
  const words = <PauseWords gate={gate} keyId={keyId} state={state} />;
  return [['Sending is paused', <>{words}. Nothing is sent until sending is resumed.</>]];
}

/**
 * Refuses to resend nothing. If a pause holds events, leads to the page that resumes sending, which says how many.
 * @param otherwise - why there is nothing to resend.
 */
export async function refuseToResend(
  { gate, link }: ScreenCall,
  keyIds: readonly KeyId[],
  otherwise: RefusedName,
): Promise<never> {
  const mayRead = gate.may('endpoints:read');
  for (const keyId of mayRead ? keyIds : []) {
    const endpoint = await gate.call('endpoints.find', { keyId });
    const held = endpoint?.counts.paused ?? 0;
    if (held > 0) throw new RefusedAct(['held-by-pause', held], link('endpoints', `/${keyId}`));
  }
  throw new RefusedAct(otherwise);
}

/** Says when a due event is sent: now, in its turn, or after somebody resumes sending. */
export async function sentNotice(gate: Gate, keyId: KeyId, isChanged: boolean): Promise<DoneName> {
  const endpoint = await findShownEndpoint(gate, keyId);
  if (endpoint?.state.kind === 'paused') return 'event-held';
  if (endpoint != null && endpoint.health.gap !== null) return 'event-in-turn';
  return isChanged ? 'event-sent' : 'event-due';
}
