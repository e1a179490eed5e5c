import { bodyOf, type Check, foreignSecret, type ProbeStage, sending } from '@partner-hiring/core/probes';

/** The number of deliveries that the service sends to one endpoint at the same time. */
const AT_ONCE = 4;
/** The size of a large body: far more than events have today, but less than common body limits. */
const LARGE_BYTES = 64 * 1_024;

/** Returns a body that a long unknown field makes large. */
function largeBody({ sample }: ProbeStage): string {
  const event = sample();
  return bodyOf({ ...event, data: { ...event.data, certifyUnknownField: 'x'.repeat(LARGE_BYTES - 512) } });
}

/** Checks that the receiver accepts good deliveries that are concurrent, slow or large, or follow a rejected one. */
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
    sent: 'a slow body in pieces',
    expects: 'taken',
    finding: 'fails_on_slow_body',
    run: async ({ sign, sendSlowly, sample }) => [await sendSlowly(await sign(bodyOf(sample())))],
  },
  {
    name: 'large_body',
    sent: 'a body of 64 kB',
    expects: 'taken',
    finding: 'refuses_large_body',
    // A receiver that fails one of these two checks would fail this check for the same reason.
    after: ['unknown_data_field', 'slow_body'],
    run: sending((stage) => stage.sign(largeBody(stage))),
  },
  {
    name: 'after_refusal',
    sent: 'a good delivery after a large rejected one, on the same connection if possible',
    expects: 'taken',
    finding: 'fails_after_refusal',
    run: async (stage) => {
      const { sign, send, sample } = stage;
      await send(await sign(largeBody(stage), { secrets: [foreignSecret()] }));
      return [await send(await sign(bodyOf(sample())))];
    },
  },
];
