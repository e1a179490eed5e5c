import type { PartnerKey } from '../../domain/partner-key.js';
import { type Instant, toIso } from '../../domain/time.js';
import {
  READINESS_ITEM_NAMES,
  type ReadinessItem,
  type ReadinessMark,
  type ReadinessName,
  textsOf,
} from './rules.js';

/** The first and the last time that a key has done what an item asks. */
export interface ReadinessEvidence extends Pick<ReadinessMark, 'firstAt' | 'firstId' | 'lastAt' | 'lastId'> {
  /** What the ids are: of a request, the `X-Request-Id` of its reply, or of an event. */
  readonly kind: 'request' | 'event';
}

/** An item of the go-live checklist of a key. */
export interface ReadinessRow {
  readonly item: ReadinessItem;
  /** What the item asks for, such as `Read jobs with a cursor`. */
  readonly title: string;
  /** Whether the key has proved the item. */
  readonly isDone: boolean;
  /** Whether the item is open because its last probe failed. */
  readonly isFailed: boolean;
  /** Whether `goLive.required` names the item; false for all by default. */
  readonly isRequired: boolean;
  /** Null while the item is open. */
  readonly evidence: ReadinessEvidence | null;
  /** Why the item is open; null if it is done. */
  readonly reason: string | null;
  /** How the partner gets the item, in English. */
  readonly how: string;
  /** Whether `keys.probe` can prove the item. */
  readonly byProbe: boolean;
}

/** The go-live checklist of a key. */
export interface Readiness {
  readonly key: PartnerKey;
  /** In a fixed order. A production key has no item about the sandbox. */
  readonly items: readonly ReadinessRow[];
  /** Whether the key has proved everything that `goLive.required` names; true if it names nothing. */
  readonly isReady: boolean;
  /** The required items that are open; empty if `isReady`. */
  readonly missing: readonly ReadinessRow[];
  /** When the endpoint was last probed; null if it never was. */
  readonly probedAt: Instant | null;
}

/** Returns the checklist of a key. `describeFault` says why a probe failed. */
export function checklistOf(
  key: PartnerKey,
  marks: readonly ReadinessMark[],
  required: readonly ReadinessItem[],
  describeFault: (fault: string) => string,
): Readiness {
  const found = new Map(marks.map((mark) => [mark.name, mark]));
  const { environment } = key;
  const names = READINESS_ITEM_NAMES.filter((item) => (textsOf(item).only ?? environment) === environment);
  const items = names.map((item): ReadinessRow => {
    const { title, how, proof, byProbe = false } = textsOf(item);
    const failure = failureOf(item, found);
    const reason =
      failure === null
        ? openReasonOf(item, found)
        : `${whenFailed(failure)} ${describeFault(failure.fault ?? '')}`;
    const isRequired = required.includes(item);
    const evidence = reason === null ? evidenceOf(item, found, proof) : null;
    const isDone = reason === null;
    const isFailed = failure !== null;
    return { item, title, isDone, isFailed, isRequired, evidence, reason, how, byProbe };
  });
  const missing = items.filter(({ isRequired, isDone }) => isRequired && !isDone);
  return {
    key,
    items,
    isReady: missing.length === 0,
    missing,
    probedAt: found.get('probed')?.lastAt ?? null,
  };
}

type Found = ReadonlyMap<ReadinessName, ReadinessMark>;

/** Returns the failed probe after which nothing has proved the item, or null. */
function failureOf(item: ReadinessItem, found: Found): ReadinessMark | null {
  const mark = found.get(item);
  const failed = found.get(`failed_${item}`) ?? null;
  return failed !== null && (mark === undefined || failed.lastAt >= mark.lastAt) ? failed : null;
}

/** Pages write the instant as `1 day ago`, so no "at" may precede it. */
function whenFailed({ lastAt }: ReadinessMark): string {
  return `The probe failed (${toSecond(lastAt)}).`;
}

/** Returns why an item without a failed probe is open, or null. */
function openReasonOf(item: ReadinessItem, found: Found): string | null {
  const { open, status } = textsOf(item);
  const mark = found.get(item);
  if (mark === undefined) return open;
  if (status === undefined || laterSuccess(mark, found) !== null) return null;
  return `A request got ${status} (${toSecond(mark.firstAt)}). No later request has succeeded.`;
}

/** For sentences that people read. */
function toSecond(at: Instant): string {
  return `${toIso(at).slice(0, 19)}Z`;
}

/** Every mark of a request that succeeded. Another process may have noted the item, but no success of that minute. */
const SUCCESSES: readonly ReadinessName[] = [
  'succeeded',
  ...READINESS_ITEM_NAMES.filter((item) => {
    const { proof, status } = textsOf(item);
    return proof === 'request' && status === undefined;
  }),
];

function laterSuccess({ firstAt }: ReadinessMark, found: Found): ReadinessMark | null {
  const [last = null] = SUCCESSES.flatMap((name) => found.get(name) ?? [])
    .filter(({ lastAt }) => lastAt > firstAt)
    .toSorted((first, second) => second.lastAt - first.lastAt);
  return last;
}

function evidenceOf(
  item: ReadinessItem,
  found: Found,
  kind: ReadinessEvidence['kind'],
): ReadinessEvidence | null {
  const mark = found.get(item);
  if (mark === undefined) return null;
  const { firstAt, firstId } = mark;
  const { lastAt, lastId } = textsOf(item).status === undefined ? mark : (laterSuccess(mark, found) ?? mark);
  return { kind, firstAt, firstId, lastAt, lastId };
}
