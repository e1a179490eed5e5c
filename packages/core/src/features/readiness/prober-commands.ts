import type { KeyId } from '../../domain/ids.js';
import type { PartnerKey } from '../../domain/partner-key.js';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { onOwnKey } from '../../operator/command/claims.js';
import type { Definitions } from '../../operator/command/definition.js';
import { id } from '../../operator/command/fields.js';
import { record } from '../../operator/command/input.js';
import { findEndpoint, keyNotFound, lockKey } from '../../operator/find-or-throw.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import {
  type Answer,
  type Check,
  JOB_OPENED_CHECK,
  judge,
  REPEATED_CHECK,
  STALE_CHECK,
  WRONG_SECRET_CHECK,
} from '../../probes/index.js';
import type { Readiness, ReadinessRow } from './checklist.js';
import { readChecklist } from './commands.js';
import { describeFault, type ProbeFault } from './faults.js';
import { createProbeSender, type ProbeSender } from './probe-sender.js';
import { markOf, type ReadinessItem, textsOf } from './rules.js';

/** The result of the probe of one item. */
export interface ProbeResult extends Pick<ReadinessRow, 'item' | 'title'> {
  /** Whether the endpoint did what the item asks for. */
  readonly isPassed: boolean;
  /** What the endpoint did wrong, and how to fix it; null if the probe passed. */
  readonly reason: string | null;
}

/** A run of the probes. */
export interface ProbeRun {
  /** In the order in which they ran. If the endpoint does not accept a correct event, only the first one ran. */
  readonly results: readonly ProbeResult[];
  readonly readiness: Readiness;
}

/** Probes endpoints. `operator.within` does not offer this, because a run would keep the host's transaction open. */
export interface KeyProber {
  /**
   * Sends test events to the endpoint of a sandbox key, or with `goLive.probeProduction` any key: a correct one, a
   * forged one, an old one and a repeated one. Their ids have ten zeros after the prefix. Records the results for
   * `keys.readiness`. A paused endpoint gets them too. At most one run a minute for each key.
   * @throws OperatorError `KEY_NOT_FOUND`; `ENDPOINT_NOT_FOUND`; `PROBED_RECENTLY` if the last run was less than a
   *   minute ago; `ENVIRONMENT_MISMATCH` if the key is for production, without `goLive.probeProduction`; `MISCONFIGURED`
   *   if the signing secrets cannot be decrypted.
   * @example
   * const { results } = await operator.keys.probe({ id: keyId });
   * for (const { title, isPassed, reason } of results) console.log(isPassed ? title : reason);
   */
  probe(key: { readonly id: KeyId }): Promise<ProbeRun>;
}

export const keyProberDefinitions: Definitions<KeyProber> = {
  probe: {
    summary: 'Sends the endpoint test events, some of which it must refuse, to prove items of the checklist',
    input: record({ id: id('key') }),
    pastTense: 'probed the endpoint of the key',
    right: 'keys:probe',
    claims: onOwnKey,
    run: async ({ read, now, commit, flush, settings }, { id: keyId }) => {
      const key = await read.keys.find(keyId);
      if (key === null) throw keyNotFound(keyId);
      assertMayProbe(key, settings.goLive.probeProduction);
      const sender = await createProbeSender(await findEndpoint(read, keyId), settings);
      await commit((scope) => beginRun(scope, keyId));
      const ends = await runProbes(sender);
      const at = await now();
      await read.readiness.add(
        ends.map(({ item, eventId, fault }) =>
          markOf(keyId, fault === null ? item : `failed_${item}`, { at, id: eventId, fault }),
        ),
      );
      await flush();
      const results = ends.map(({ item, fault }) => ({
        item,
        title: textsOf(item).title,
        isPassed: fault === null,
        reason: fault === null ? null : describeFault(fault),
      }));
      return { results, readiness: await readChecklist(read, key, settings.goLive.required) };
    },
  },
};

function assertMayProbe({ environment }: PartnerKey, probeProduction: boolean): void {
  if (environment === 'sandbox' || probeProduction) return;
  throw new OperatorError(
    'ENVIRONMENT_MISMATCH',
    'The endpoints of production keys are not probed. Probe that of the sandbox key, or set `goLive.probeProduction`.',
  );
}

/** How long the next run must wait: a run sends forged events, which fill the partner's log. */
const PROBE_EVERY_MS = MINUTE_MS;

/** Counts the run before it sends anything, so that two processes do not run at once. */
async function beginRun(scope: Scope, keyId: KeyId): Promise<void> {
  const { tx } = scope;
  await lockKey(scope, keyId);
  const at = await scope.now();
  const last = (await tx.readiness.list(keyId)).find(({ name }) => name === 'probed');
  const waitMs = last === undefined ? 0 : Math.min(PROBE_EVERY_MS, last.lastAt + PROBE_EVERY_MS - at);
  if (waitMs > 0) {
    throw new OperatorError(
      'PROBED_RECENTLY',
      `The endpoint was probed less than a minute ago. Try again in ${Math.ceil(waitMs / SECOND_MS)} s.`,
    );
  }
  await tx.readiness.add([markOf(keyId, 'probed', { at, id: keyId })]);
  recordAct(scope, { objects: [{ kind: 'endpoint', id: keyId }], keyId });
}

interface ProbeEnd {
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
async function runProbes(sender: ProbeSender): Promise<readonly ProbeEnd[]> {
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
