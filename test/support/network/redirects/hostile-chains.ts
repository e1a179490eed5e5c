import { BODIES, SLOW } from './answers.js';
import { type Kind, STATUSES } from './kind.js';
import { TARGETS } from './targets.js';
import { type Chain, redirectReply, stepUrl } from './web.js';

/** A chain of redirects that attacks the client. */
export interface HostileChain extends Chain {
  readonly kind: string;
  /** The number of harmless redirects before the attack. */
  readonly position: number;
  /** The outcomes that a client may report: `fetched`, or a reason. */
  readonly outcomes: readonly string[];
  /** The number of requests. Null if the client retries. */
  readonly requests: number | null;
  /** Whether the chain ends at the deadline only. */
  readonly isSlow: boolean;
}

const POSITIONS = [0, 1, 2, 3, 4];
const KINDS = [...TARGETS, ...BODIES, ...SLOW];

/**
 * Returns a chain for each hostile kind behind 0 to 4 harmless redirects. A chain has at most five redirects unless it
 * is a loop. The statuses take turns.
 */
export function createHostileChains(): readonly HostileChain[] {
  return POSITIONS.flatMap((position) => {
    const kinds = KINDS.filter(({ redirects = 1 }) => position + redirects <= 5);
    return kinds.map((kind) => [kind, position] as const);
  }).map(([kind, position], chain) => createChain(kind, position, chain));
}

function createChain(kind: Kind, position: number, chain: number): HostileChain {
  const scheme = kind.scheme ?? 'http';
  const status = STATUSES[chain % STATUSES.length] ?? 302;
  const harmless = Array.from({ length: position }, (_, step) =>
    redirectReply(status, stepUrl(scheme, chain, step + 1)),
  );
  const isLoop = kind.kind === 'a loop';
  return {
    kind: kind.kind,
    position,
    title: `${kind.title}, behind ${position} redirects`,
    url: stepUrl(scheme, chain, 0),
    replies: [...harmless, ...kind.ends({ chain, step: position, status, scheme })],
    outcomes: kind.outcomes,
    requests: kind.requests === null ? null : kind.requests + (isLoop ? 0 : position),
    isSlow: kind.isSlow ?? false,
  };
}
