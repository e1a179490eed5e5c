/** The attackers' process. */
import { setPriority } from 'node:os';
import { answerParent } from './stage/abuse/answer-parent.js';
import { type Flood, type FloodOrder, startFlood } from './stage/abuse/flood.js';
import { type SlowBodies, type SlowBodiesOrder, startSlowBodies } from './stage/abuse/slow-bodies.js';
import { IS_FULL } from './stage/size.js';

export type AttackerOrder =
  | ({ readonly do: 'flood' } & FloodOrder)
  | { readonly do: 'stop flood'; readonly after: string; readonly withinMs: number }
  | ({ readonly do: 'slow bodies' } & SlowBodiesOrder)
  | { readonly do: 'stop slow bodies'; readonly withinMs: number };

const LOWEST_PRIORITY = 19;

let flood: Flood | null = null;
let slowBodies: SlowBodies | null = null;

async function obey(order: AttackerOrder): Promise<object> {
  switch (order.do) {
    case 'flood':
      flood = startFlood(order);
      return {};
    case 'stop flood':
      return (await flood?.stopAfter(order.after, order.withinMs)) ?? {};
    case 'slow bodies':
      slowBodies = startSlowBodies(order);
      await slowBodies.opened;
      return {};
    case 'stop slow bodies':
      return (await slowBodies?.stop(order.withinMs)) ?? {};
  }
}

// In the full attack, attackers must not slow the measured processes. In a short run, other tests share the machine: at
// the lowest priority, the attackers would send too little to reach the limit within a minute.
if (IS_FULL) setPriority(LOWEST_PRIORITY);
answerParent({}, obey);
