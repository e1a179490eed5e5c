/** The parts of a request of Express or Fastify that tell whom the server trusts. */
interface FrameworkRequest {
  readonly app?: { readonly settings?: Readonly<Record<string, unknown>> };
  readonly socket?: { readonly remoteAddress?: string | undefined };
  readonly ips?: unknown;
}

/**
 * Returns whether a framework trusts the proxy that sent a request, as it does for the client's address: by `trust proxy` of
 * Express, or by `trustProxy` of Fastify, if the proxy sends `X-Forwarded-For`. Other servers trust none.
 * @param framework - the request of the framework.
 */
export function trustsProxy(framework: unknown): boolean {
  const { app, socket, ips }: FrameworkRequest = Object(framework);
  const isTrusted = app?.settings?.['trust proxy fn'];
  if (typeof isTrusted === 'function') return isTrusted(socket?.remoteAddress ?? '', 0) === true;
  // Fastify lists the other end of the connection first. Only if it trusts that end, others follow.
  return Array.isArray(ips) && ips.length > 1;
}
