export interface RetentionStarter {
  /** Starts today's operation that erases old applications. Returns false if there is nothing to start. */
  start(): Promise<boolean>;
}
