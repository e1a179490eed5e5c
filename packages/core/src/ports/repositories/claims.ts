/** A worker's lease on a row. It expires by the storage's clock alone. */
export interface Lease {
  readonly token: string;
  readonly forMs: number;
  /**
   * The deployment of the process. If the database belongs to another one, or is at another place, nothing is leased that
   * is sent outside. Undefined: none.
   */
  readonly deployment?: string | undefined;
}
