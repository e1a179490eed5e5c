import { MOST_COUNTED, plural } from '../../doctor/checks/words.js';
import { type FoundStatus, type Need, type StatusPart, WAITING_MS } from '../../report/status-part.js';

/** Deliveries that wait or failed, and failing endpoints. */
export const deliveryStatus: StatusPart = {
  waits: [
    {
      name: 'deliveries',
      limitMs: WAITING_MS,
      since: ({ deliveries }) => deliveries.oldestDueAt,
      finding: (duration) => `The oldest due delivery has waited for ${duration}.`,
      fix: '`deliveries count` says whose it is. If a worker runs, check the sealing key with `doctor`, run more workers, or raise `worker.maxInFlight`.',
    },
  ],
  needs: async (found) => [needOfDeadLetters(found), await needOfEndpoints(found)],
};

function needOfDeadLetters({ status: { deliveries } }: FoundStatus): Need | null {
  const { dead, isExact } = deliveries;
  if (dead === 0) return null;
  const count = plural(dead, 'delivery has', 'deliveries have');
  return {
    name: 'dead-letters',
    finding: `${isExact ? '' : 'At least '}${count} failed ten times and will not be tried again.`,
    fix: 'Find the reason with `deliveries list --state dead`. Then run `deliveries resend`, or `deliveries cancel`.',
  };
}

const MOST_NAMED = 3;

async function needOfEndpoints({ operator, status }: FoundStatus): Promise<Need | null> {
  const { failing, paused } = status.endpoints;
  if (failing === 0) return null;
  const { items } = await operator.endpoints.list({ onlyFailing: true, limit: MOST_NAMED });
  const some = items.map(({ partnerName, keyId, state }) => `${partnerName} (${keyId}${pauseOf(state)})`);
  const also = paused === 0 ? '' : ` ${plural(paused, 'endpoint is', 'endpoints are')} paused.`;
  const least = failing < MOST_COUNTED ? '' : 'At least ';
  const count = `${least}${plural(failing, 'endpoint is', 'endpoints are')}`;
  return {
    name: 'endpoints',
    finding: `${count} failing: ${some.join(', ')}.${also}`,
    fix: 'Tell the partners. `endpoints failing` shows why. When a paused endpoint works again, run `endpoints resume`.',
  };
}

function pauseOf(state: { readonly kind: string; readonly reason?: string }): string {
  return state.reason === undefined ? '' : `, paused: ${state.reason}`;
}
