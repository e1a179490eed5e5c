/** How partners reach the people who run the service. */
export interface Support {
  /** The e-mail address of the people who run the service. */
  readonly email?: string | undefined;
  /** A page with a form, a chat or a forum. */
  readonly url?: string | undefined;
  /** The page that reports outages and maintenance. */
  readonly statusUrl?: string | undefined;
}
