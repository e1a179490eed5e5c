/** The settings of a partner's process. */
export interface ClientOrders {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly jobId: string;
  /** Kept across restarts. */
  readonly folder: string;
  /** The candidates to submit. */
  readonly ids: readonly string[];
}
