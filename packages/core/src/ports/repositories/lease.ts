/**
 * A worker's claim on something, as it is asked for. When it ends is on the storage's clock alone, which takes, renews
 * and judges it: no process's own time says whether another's claim is over.
 */
export interface Lease {
  readonly token: string;
  /** How long from now on, in milliseconds. */
  readonly forMs: number;
}
