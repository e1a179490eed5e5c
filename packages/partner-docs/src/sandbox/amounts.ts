export const SECOND_MS = 1_000;
const KIB = 1024;
const MIB = KIB * KIB;

/** Returns a size for people. Example: `256 KiB`. */
export function bytes(count: number): string {
  if (count % MIB === 0) return `${count / MIB} MiB`;
  return count % KIB === 0 ? `${count / KIB} KiB` : `${count} bytes`;
}

/** Returns a duration for people. Example: `30 seconds`. */
export function duration(ms: number): string {
  if (ms % SECOND_MS !== 0) return `${ms} milliseconds`;
  return ms === SECOND_MS ? '1 second' : `${ms / SECOND_MS} seconds`;
}
