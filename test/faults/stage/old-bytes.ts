import { getHeapSpaceStatistics } from 'node:v8';

/** The bytes of this process that have survived minor collections. */
export function oldBytes(): number {
  const old = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space');
  if (old === undefined) throw new Error('This engine has no old generation.');
  return old.space_used_size;
}
