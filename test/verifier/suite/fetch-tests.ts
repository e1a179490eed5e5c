import type { PartnerEvent } from '@partner-hiring/webhook-verifier';
import { equal, type RuntimeTest } from './check.js';
import type { Subject } from './subject.js';

const SECRET = 'whsec_of_the_receiver';
const EVENT = {
  id: 'evt_1',
  type: 'job.paused',
  createdAt: '2025-06-15T15:06:40.000Z',
  apiVersion: 'v1',
  data: { title: 'Köchin 👩‍🍳' },
};
const BODY = JSON.stringify(EVENT);

/** Tests of the Fetch API receiver. */
export function fetchTests({ verifier, fetchEntry }: Subject): readonly RuntimeTest[] {
  async function request(body: string | ReadableStream, text = BODY): Promise<Request> {
    const headers = { ...(await verifier.signWebhook({ body: text, secret: SECRET })) };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    return new Request('https://ats.example/webhooks', init);
  }

  /** A receiver and its calls. */
  function createReceiver(maxBytes = 10_000) {
    const events: PartnerEvent[] = [];
    const refusals: string[] = [];
    const handle = fetchEntry.partnerWebhooksFetch({
      secret: SECRET,
      maxBytes,
      onEvent: (event) => events.push(event),
      onRefused: ({ reason }) => refusals.push(reason),
    });
    return { handle, events, refusals };
  }

  return [
    {
      name: 'the fetch receiver takes a delivery, answers 204 and hands on its event',
      run: async () => {
        const { handle, events } = createReceiver();
        const { status } = await handle(await request(BODY));
        equal([status, events], [204, [EVENT]]);
      },
    },
    {
      name: 'the fetch receiver refuses a changed body with 400 and the reason',
      run: async () => {
        const { handle, events, refusals } = createReceiver();
        const response = await handle(await request(BODY.replace('Köchin', 'Koch')));
        const reason = 'no_matching_signature';
        equal([response.status, await response.json(), events, refusals], [400, { reason }, [], [reason]]);
      },
    },
    {
      name: 'the fetch receiver says that a body was read before',
      run: async () => {
        const { handle, refusals } = createReceiver();
        const read = await request(BODY);
        await read.json();
        equal([(await handle(read)).status, refusals], [400, ['body_was_parsed']]);
      },
    },
    {
      name: 'the fetch receiver stops reading a body that is too large',
      run: async () => {
        const { handle, refusals } = createReceiver(BODY.length);
        const long = JSON.stringify({ ...EVENT, more: 'x'.repeat(1_000) });
        equal([(await handle(await request(long, long))).status, refusals], [413, ['body_too_large']]);
      },
    },
  ];
}
