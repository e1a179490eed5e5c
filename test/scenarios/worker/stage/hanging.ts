import { settle } from '@partner-hiring/test-support/clock';
import { answered, type RecordingTransport } from '@partner-hiring/test-support/transport';
import type { AttemptOutcome } from '../../../../packages/core/src/domain/delivery.js';

/** Attempts that hang until the test ends them. */
export type Hanging = ReturnType<typeof hang>;

/** Makes matching attempts hang; answers the others with 200. */
export function hang(transport: RecordingTransport, matches: (eventId: string) => boolean = () => true) {
  let waiting: ((outcome: AttemptOutcome) => void)[] = [];
  transport.answerWith(({ body }) => {
    const { id } = JSON.parse(body) as { readonly id: string };
    if (!matches(id)) return answered(200);
    return new Promise((resolve) => waiting.push(resolve));
  });
  /** Ends all, or the first `count`. */
  async function endWith(outcome: AttemptOutcome, count = waiting.length) {
    const ending = waiting.slice(0, count);
    waiting = waiting.slice(count);
    for (const end of ending) end(outcome);
    await settle();
  }
  return {
    count: () => waiting.length,
    endWith,
    /** Ends all with 200, which the next attempts get too. */
    endAll() {
      transport.answerWith(() => answered(200));
      return endWith(answered(200));
    },
  };
}
