import type { Answer } from './answer.js';

/** Which bucket a request is counted in. Spec: Limits. */
export type Route =
  | { readonly kind: 'list_jobs' | 'list_applications' | 'read_application' }
  | { readonly kind: 'submit_application'; readonly jobId: string };

/**
 * Whether the rate headers tell of the bucket that the request waited for. A submission that was refused or
 * replayed may have been counted in another one, or in none, and an unknown key's in that of its address.
 */
export function tellsOfOwnBucket(route: Route, { status, headers }: Answer): boolean {
  if (route.kind !== 'submit_application') return status !== 401;
  return status === 201 && headers.get('idempotent-replayed') === null;
}
