/** How partners reach the people who run the service. */
export interface Support {
  readonly email?: string | undefined;
  /** A page with a form, a chat or a forum. */
  readonly url?: string | undefined;
  /** The page that reports outages and maintenance. */
  readonly statusUrl?: string | undefined;
}
