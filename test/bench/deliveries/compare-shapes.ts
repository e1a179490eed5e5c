import { compare, type Pair, type RunSize } from '../compare.js';
import type { Shape, Side, Throughput } from './throughput.js';

/**
 * Measures one side with two shapes, taking turns, and prints two rows: deliveries a second, and the processor time of a
 * delivery.
 */
export async function compareShapes(
  name: string,
  side: Side,
  shape: Shape,
  baseline: Shape,
  atLeast: number,
  size: RunSize,
): Promise<void> {
  const processor: Pair[] = [];
  let round = 0;
  const measureBoth = async () => {
    round += 1;
    const isFirst = round % 2 === 0;
    // Whoever comes first in a round changes, because the second one finds a warmer machine.
    const one = await side(isFirst ? shape : baseline);
    const other = await side(isFirst ? baseline : shape);
    const [ours, theirs] = isFirst ? [one, other] : [other, one];
    const pairOf = (what: keyof Throughput): Pair => ({ ours: ours[what], baseline: theirs[what] });
    processor.push(pairOf('processorUs'));
    return pairOf('perSecond');
  };
  await compare({ name, unit: 'deliveries/s', goal: { atLeast }, measure: measureBoth }, size);
  const next = async (): Promise<Pair> => processor.shift() ?? { ours: Number.NaN, baseline: Number.NaN };
  const unit = 'µs of processor time each';
  await compare({ name: `${name}, processor`, unit, goal: null, measure: next }, size);
}
