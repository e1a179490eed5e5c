import type { ApplicationDetails, DeliveryTarget } from '@partner-hiring/core';
import { defineNotices } from '../../http/notices.js';
import type { RunAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { findApplicationOfPath } from '../../screens/application/application-actions.js';
import { findPause, PauseWords, sentNotice } from '../../screens/endpoints/pause-words.js';
import { defineAct, RefusedAct, withoutPage } from '../../screens/parts/define-act.js';
import { nameOf } from '../../screens/parts/names.js';
import { Id } from '../../view/ids.js';
import { countText } from '../../view/parts.js';

/** The sentences that follow an act that tells the partner. */
export const newsNotices = defineNotices({
  refused: {
    'no-event': 'There is no event to send: only a decision causes one, and it is stored for a limited time.',
  },
});

const resend = defineAct<DeliveryTarget>({
  find: async (call) => {
    call.gate.require('deliveries:resend');
    const { id, keyId } = await findApplicationOfPath(call);
    const { items } = await call.gate.call('deliveries.list', { keyId, applicationId: id });
    const [last] = items;
    if (last === undefined) throw new RefusedAct(newsNotices.refused('no-event'));
    return { keyId, eventId: last.eventId };
  },
  run: async ({ keyId, eventId }, { gate }) => {
    const { count } = await gate.call('deliveries.resend', { keyId, eventIds: [eventId] });
    return sentNotice(gate, keyId, count > 0);
  },
});

const resumeEndpoint = defineAct<ApplicationDetails>({
  find: findApplicationOfPath,
  ask: async ({ keyId }, { gate }) => {
    const { count } = await gate.call('endpoints.resume', { keyId, retryNow: true, dryRun: true });
    const state = await findPause(gate, keyId);
    return {
      title: 'Resume sending to this endpoint?',
      text: 'The worker sends everything that waits for this partner, the oldest first, and retries now what has failed before.',
      facts: [
        [LABELS.one.partnerKey, (await nameOf.key(gate, keyId)) ?? <Id value={keyId} />],
        [
          LABELS.endpoint.paused,
          state === null ? 'no' : <PauseWords gate={gate} keyId={keyId} state={state} />,
        ],
        ['Deliveries to retry now', countText(count)],
      ],
      confirm: LABELS.button.resume,
    };
  },
  run: async ({ keyId }, { gate }) => {
    await gate.call('endpoints.resume', { keyId, retryNow: true });
    return 'endpoint-resumed';
  },
});

/** The acts that let the partner know the status of an application. */
export const newsActs: Readonly<Record<string, RunAction>> = {
  '/applications/:id/resend': withoutPage(resend),
  '/applications/:id/resume-endpoint': resumeEndpoint,
};
