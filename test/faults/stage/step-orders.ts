/** The settings of a partner's process that gives up or replaces submissions. */
export interface StepOrders {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly jobId: string;
  /** Of the file store. */
  readonly folder: string;
  /** The step of an act, from 1, before which the process kills itself; null for never. */
  readonly killAt: number | null;
}

/** The call that a process of the test makes. */
export interface StepAct {
  readonly kind: 'abandon' | 'replace' | 'submit';
  readonly id: string;
}
