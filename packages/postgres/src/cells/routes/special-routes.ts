import type {
  DisarmedCounts,
  FirstWaiting,
  NamedDeployment,
  PartnerRepository,
  Repositories,
} from '@partner-hiring/core/ports';
import type { BoundCells } from '../routing/cells.js';
import { earliest, sum } from '../routing/merge.js';
import type { RoutesOf } from '../routing/route.js';

type Counts = Awaited<ReturnType<Repositories['resumeRemovals']['counts']>>;

/** Counts stop here in each cell. */
const MOST_WAITING = 10_000;

export function sumOfRemovals(counts: readonly Counts[]): Counts {
  return {
    waiting: Math.min(sum(counts.map(({ waiting }) => waiting)), MOST_WAITING),
    oldestErasedAt: earliest(counts.map(({ oldestErasedAt }) => oldestErasedAt)),
  };
}

/** The rows that wait for longest in any cell. */
export function firstWaitingOf(found: readonly FirstWaiting[]): FirstWaiting {
  return {
    alertAt: earliest(found.map(({ alertAt }) => alertAt)),
    downloadAt: earliest(found.map(({ downloadAt }) => downloadAt)),
    idempotencyKeyAt: earliest(found.map(({ idempotencyKeyAt }) => idempotencyKeyAt)),
    rateWindowAt: earliest(found.map(({ rateWindowAt }) => rateWindowAt)),
  };
}

/** The name of the database is that of all cells, or none. */
export function leastInPlace(found: readonly (NamedDeployment | null)[]): NamedDeployment | null {
  const [home = null] = found;
  if (found.some((each) => each?.name !== home?.name)) return null;
  return found.find((each) => each?.isInPlace === false) ?? home;
}

export function sumOfDisarmed(counts: readonly DisarmedCounts[]): DisarmedCounts {
  return {
    endpoints: sum(counts.map(({ endpoints }) => endpoints)),
    deliveries: sum(counts.map(({ deliveries }) => deliveries)),
    downloads: sum(counts.map(({ downloads }) => downloads)),
    alerts: sum(counts.map(({ alerts }) => alerts)),
    portalPasses: sum(counts.map(({ portalPasses }) => portalPasses)),
    keySecrets: sum(counts.map(({ keySecrets }) => keySecrets)),
  };
}

/** Adds a partner to the cell with the fewest partners. */
export const addPartner: RoutesOf<PartnerRepository>['add'] = ({ cells, call }, partner) => {
  const add = async (bound: BoundCells) => {
    const cell = await cells.placement.choose(bound.session);
    // Adding partners one at a time makes the id unique over all cells.
    const found = await cells.group(bound, 'partner', [partner.id], (id) => id);
    const [known = 0] = found.keys();
    if ((await bound.cell(known).partners.find(partner.id)) !== null) return 'exists';
    return call(bound.cell(cell), partner);
  };
  return cells.bound.alone === null ? add(cells.bound) : cells.bound.alone.write(add);
};
