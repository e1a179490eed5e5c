import { type ApplicationsClient, createApplicationsClient } from './applications.js';
import type { CallOptions } from './call-options.js';
import { type ClientOptions, readOptions } from './client-options.js';
import { createEventsClient, type EventsClient } from './events.js';
import { createExecute } from './execute.js';
import { createJobsClient, type JobsClient } from './jobs.js';
import { createRequest, type PartnerRequest, type PartnerResponse } from './request.js';
import { createTraffic } from './traffic/traffic.js';
import { createWebhookEndpointClient, type WebhookEndpointClient } from './webhook-endpoint.js';

/** The partner API for one key. Build only one client per key, because clients do not share rate limits. */
export interface PartnerClient {
  readonly jobs: JobsClient;
  readonly applications: ApplicationsClient;
  readonly events: EventsClient;
  readonly webhookEndpoint: WebhookEndpointClient;
  /**
   * Sends a request to a route that has no method here, with the key, the limits and the retries of the other calls. POST
   * and PATCH are sent again only after a 429.
   * @throws PartnerApiError, PartnerConnectionError
   * @throws TypeError for a path that is not below `baseUrl`, and for `POST /applications`, which `submit` sends exactly once.
   * @example
   * const { json } = await client.request({ path: '/jobs?limit=1' });
   * console.log(json);
   */
  request(request: PartnerRequest, options?: CallOptions): Promise<PartnerResponse>;
}

/**
 * Builds a client. It does not need closing.
 * @throws TypeError if an option is invalid.
 * @example
 * const client = createPartnerClient({
 *   baseUrl: 'https://hiring.example.com/api/v1/external',
 *   apiKey: process.env.PARTNER_API_KEY ?? '',
 * });
 * for await (const job of client.jobs.list()) console.log(job.id, job.title);
 */
export function createPartnerClient(options: ClientOptions): PartnerClient {
  const settings = readOptions(options);
  const { clock, submissions, scope } = settings;
  const traffic = createTraffic(clock, settings);
  const deps = { execute: createExecute({ ...settings, traffic }), now: clock.now, learn: traffic.learn };
  return {
    jobs: createJobsClient(deps),
    applications: createApplicationsClient({ ...deps, store: submissions, scope }),
    events: createEventsClient(deps.execute),
    webhookEndpoint: createWebhookEndpointClient(deps.execute),
    request: createRequest(settings.baseUrl, deps.execute),
  };
}
