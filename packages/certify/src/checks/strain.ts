import { bodyOf } from '../samples.js';
import { type Check, type Stage, sending } from './check.js';
import { foreignSecret } from './signatures.js';

/** As many as the service has under way to one endpoint. */
const AT_ONCE = 4;
/** Far more than an event has today, and less than any usual limit. */
const LARGE_BYTES = 64 * 1_024;

/** A body with a field of a later version, so that it has that size. */
function largeBody({ sample }: Stage): string {
  const event = sample();
  return bodyOf({ ...event, data: { ...event.data, certifyUnknownField: 'x'.repeat(LARGE_BYTES - 512) } });
}

/** Good deliveries under worse conditions. */
export const STRAIN_CHECKS: readonly Check[] = [
  {
    name: 'four_at_once',
    sent: 'four deliveries at once',
    expects: 'taken',
    finding: 'fails_at_once',
    run: async ({ sign, send, sample }) => {
      const bodies = Array.from({ length: AT_ONCE }, () => bodyOf(sample()));
      const deliveries = await Promise.all(bodies.map((body) => sign(body)));
      return Promise.all(deliveries.map(send));
    },
  },
  {
    name: 'slow_body',
    sent: 'a body that arrives slowly, in pieces',
    expects: 'taken',
    finding: 'fails_on_slow_body',
    run: async ({ sign, sendSlowly, sample }) => [await sendSlowly(await sign(bodyOf(sample())))],
  },
  {
    name: 'large_body',
    sent: 'a body of 64 kB',
    expects: 'taken',
    finding: 'refuses_large_body',
    // What fails on fields or pieces fails here for the same reason.
    after: ['unknown_data_field', 'slow_body'],
    run: sending((stage) => stage.sign(largeBody(stage))),
  },
  {
    name: 'after_refusal',
    sent: 'a good delivery after a large one that is refused, if possible on its connection',
    expects: 'taken',
    finding: 'fails_after_refusal',
    run: async (stage) => {
      const { sign, send, sample } = stage;
      await send(await sign(largeBody(stage), { secrets: [foreignSecret()] }));
      return [await send(await sign(bodyOf(sample())))];
    },
  },
];
