import type { ReadinessItem } from '../../domain/readiness.js';
import {
  type Answer,
  type Check,
  JOB_OPENED_CHECK,
  judge,
  REPEATED_CHECK,
  STALE_CHECK,
  WRONG_SECRET_CHECK,
} from '../../probes/index.js';
import type { ProbeFault } from './faults.js';
import type { ProbeSender } from './probe-sender.js';

/** The result of the probe of an item. */
export interface ProbeEnd {
  readonly item: ReadinessItem;
  /** The id of the event that was sent last. */
  readonly eventId: string;
  /** Null if the probe passed. */
  readonly fault: ProbeFault | null;
}

/** The first probe sends a correct event. If it fails, a refusal of the others proves nothing. */
const FIRST: Check = JOB_OPENED_CHECK;

/** The check of certify for each of the other items. */
const OTHERS: readonly (readonly [ReadinessItem, Check])[] = [
  ['refused_forged', WRONG_SECRET_CHECK],
  ['refused_old', STALE_CHECK],
  ['repeated_event', REPEATED_CHECK],
];

/** Probes an endpoint. Ends after the first probe if the endpoint does not accept a correct event. */
export async function runProbes(sender: ProbeSender): Promise<readonly ProbeEnd[]> {
  const fault = faultOfFirst(await FIRST.run(sender));
  const ends: ProbeEnd[] = [{ item: 'endpoint_2xx', eventId: sender.lastEventId(), fault }];
  if (fault !== null) return ends;
  for (const [item, check] of OTHERS) {
    // A warning, such as 500 for a forged event, is no refusal.
    const { finding } = judge(check, await check.run(sender));
    ends.push({ item, eventId: sender.lastEventId(), fault: finding });
  }
  return ends;
}

function faultOfFirst(answers: readonly Answer[]): ProbeFault | null {
  const { finding, verdict } = judge(FIRST, answers);
  if (verdict === 'passed') return null;
  if (finding !== FIRST.finding && finding !== null) return finding;
  return answers.some(({ kind }) => kind === 'answered') ? 'refused_event' : 'no_answer';
}
