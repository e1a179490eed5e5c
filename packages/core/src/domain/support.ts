/** How partners reach the people who run the service. */
export interface Support {
  /** The e-mail address of the people who run the service; default: none. */
  readonly email?: string | undefined;
  /** A page with a form, a chat or a forum; default: none. */
  readonly url?: string | undefined;
  /** The page that reports outages and maintenance; default: none. */
  readonly statusUrl?: string | undefined;
}
