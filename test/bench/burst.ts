import { type LoadOptions, load } from './load.js';

/**
 * Requests per second of one burst.
 *
 * @throws if any reply has another status than the expected one: a figure must never be one of errors.
 */
export async function burst(options: LoadOptions & { readonly status: number }): Promise<number> {
  const { statuses, requestsPerSecond } = await load(options);
  const seen = Object.keys(statuses);
  if (seen.length !== 1 || seen[0] !== String(options.status)) {
    throw new Error(`Expected only ${options.status}, got ${JSON.stringify(statuses)}`);
  }
  return requestsPerSecond;
}
