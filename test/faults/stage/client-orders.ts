/** What a partner's process is told when it starts. */
export interface ClientOrders {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly jobId: string;
  /** What it keeps from one start to the next. */
  readonly folder: string;
  /** Whom to submit. */
  readonly ids: readonly string[];
}
