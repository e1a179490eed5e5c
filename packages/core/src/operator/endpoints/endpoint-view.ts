import type { Endpoint } from '../../domain/endpoint.js';

/** An endpoint as an operator may see it: without its secrets, sealed or not. */
export type EndpointView = Omit<Endpoint, 'secrets'>;

/** An endpoint without its secrets. */
export function viewEndpoint({ keyId, url, state, health, createdAt }: Endpoint): EndpointView {
  return { keyId, url, state, health, createdAt };
}
