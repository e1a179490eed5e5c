import { type CallOptions, readCall } from './call-options.js';
import { type ApiRequest, answerOf, type Execute } from './execute.js';
import { createListing, type Listing, type ListOptions, serializeInstant } from './listing.js';
import type {
  ChangedWebhookEndpoint,
  ResentWebhookEvent,
  RotatedWebhookSecret,
  WebhookDelivery,
  WebhookDeliveryState,
  WebhookEndpoint,
  WebhookResend,
  WebhookTest,
} from './wire.js';
import {
  problemWith,
  RESENT_WEBHOOK_EVENT_SHAPE,
  ROTATED_WEBHOOK_SECRET_SHAPE,
  requireText,
  type Shape,
  WEBHOOK_DELIVERY_SHAPE,
  WEBHOOK_ENDPOINT_SHAPE,
  WEBHOOK_RESEND_SHAPE,
  WEBHOOK_TEST_SHAPE,
} from './wire-shapes.js';

/** Options of `webhookEndpoint.resume`. */
export interface ResumeOptions extends CallOptions {
  /** Whether to send now what waits for its next attempt. Default: false. */
  readonly retryNow?: boolean | undefined;
}

/** Options of `webhookEndpoint.rotateSecret`. */
export interface RotateSecretOptions extends CallOptions {
  /** How long the old secrets sign too, at most seven days. Default: a day. */
  readonly overlapSeconds?: number | undefined;
}

/** Filter and paging of the deliveries. */
export interface DeliveryListOptions extends Omit<ListOptions, 'updatedSince' | 'companyId'> {
  readonly state?: WebhookDeliveryState | undefined;
}

/**
 * The webhook endpoint of your key. Each call fails with `NOT_FOUND` if the platform does not let partners make it, and
 * with `VALIDATION_ERROR` and the field error `no_endpoint` if your key has no endpoint. All calls share a rate limit, so
 * a call may wait for the next minute.
 */
export interface WebhookEndpointClient {
  /**
   * Returns the URL, the state and the last failure.
   * @throws PartnerApiError, PartnerConnectionError
   * @example
   * const { state, pausedReason, lastFailure } = await client.webhookEndpoint.get();
   * if (state === 'paused') console.error(pausedReason, lastFailure?.kind);
   */
  get(options?: CallOptions): Promise<WebhookEndpoint>;
  /**
   * Sets the URL, if it answers a signed test event with 2xx. This may take 30 seconds. The first URL of a key creates the
   * endpoint and returns its signing secret. If that response is lost, the secret is missing: call `rotateSecret`.
   * @throws PartnerApiError with a field error on `url`, such as `endpoint_timeout`. The endpoint is then unchanged.
   * @throws PartnerConnectionError
   * @throws TypeError if `url` is not text.
   * @example
   * const { url, signingSecret } = await client.webhookEndpoint.setUrl('https://ats.example/webhooks');
   * console.log(url, signingSecret === undefined ? 'keeps its secret' : 'has a new secret');
   */
  setUrl(url: string, options?: CallOptions): Promise<ChangedWebhookEndpoint>;
  /**
   * Sends a signed test event once, even to a paused endpoint. Returns whether the endpoint accepted it.
   * @throws PartnerApiError, PartnerConnectionError
   * @example
   * const { delivered, failure } = await client.webhookEndpoint.test();
   * console.log(delivered ? 'it works' : failure?.kind);
   */
  test(options?: CallOptions): Promise<WebhookTest>;
  /**
   * Pauses sending. Events are still recorded. Does nothing if the endpoint is paused.
   * @throws PartnerApiError, PartnerConnectionError
   * @example
   * await client.webhookEndpoint.pause();
   */
  pause(options?: CallOptions): Promise<WebhookEndpoint>;
  /**
   * Resumes sending, oldest event first. Does nothing if the endpoint is active.
   * @throws PartnerApiError with the field error `paused_by_operator` if only the platform may resume it.
   * @throws PartnerConnectionError
   * @example
   * await client.webhookEndpoint.resume({ retryNow: true });
   */
  resume(options?: ResumeOptions): Promise<WebhookEndpoint>;
  /**
   * Returns a new signing secret. Until the overlap ends, each event is signed with the new and the old secrets.
   * @throws PartnerApiError, PartnerConnectionError
   * @example
   * const { signingSecret, oldSecretsExpireAt } = await client.webhookEndpoint.rotateSecret();
   * console.log(`Store ${signingSecret.length} characters before ${oldSecretsExpireAt}.`);
   */
  rotateSecret(options?: RotateSecretOptions): Promise<RotatedWebhookSecret>;
  /**
   * Lists the events for your endpoint, newest first, and whether each was delivered.
   * @example
   * for await (const { eventId, lastFailure } of client.webhookEndpoint.deliveries({ state: 'dead' })) {
   *   console.log(eventId, lastFailure?.kind);
   * }
   */
  deliveries(options?: DeliveryListOptions): Listing<WebhookDelivery>;
  /**
   * Resends one event now, with the same id.
   * @throws PartnerApiError with the field error `unknown_event` if your key has no such event, or `invalid_value` if the
   *   platform has cancelled it.
   * @throws PartnerConnectionError
   * @throws TypeError if `eventId` is not text.
   * @example
   * for await (const { eventId } of client.webhookEndpoint.deliveries({ state: 'dead' })) {
   *   await client.webhookEndpoint.resend(eventId);
   * }
   */
  resend(eventId: string, options?: CallOptions): Promise<ResentWebhookEvent>;
  /**
   * Starts to resend all events since an instant, also delivered ones, but not cancelled ones. Returns before they are
   * sent.
   * @throws PartnerApiError with the field error `already_running` while an earlier call is still being carried out. If
   *   its response was lost, this call may have started it.
   * @throws PartnerConnectionError
   * @example
   * await client.webhookEndpoint.resendSince(new Date(Date.now() - 3_600_000));
   */
  resendSince(since: string | Date, options?: CallOptions): Promise<WebhookResend>;
}

/** The service waits 30 seconds for the endpoint's answer. Its own answer then needs time too. */
const PROOF_TIMEOUT_MS = 45_000;

export function createWebhookEndpointClient(execute: Execute): WebhookEndpointClient {
  async function call<Result>(
    method: ApiRequest['method'],
    path: string,
    shape: Shape,
    options: CallOptions | undefined,
    { fields, ...request }: { readonly fields?: object } & Pick<ApiRequest, 'minTimeoutMs'> = {},
  ): Promise<Result> {
    const execution = await execute({
      method,
      path: `/webhook-endpoint${path}`,
      route: ROUTE,
      problemOf: ({ json }) => problemWith(json, shape),
      body: JSON.stringify(fields),
      ...request,
      call: readCall(options),
    });
    return answerOf(execution).json as Result;
  }

  return {
    get: (options) => call('GET', '', WEBHOOK_ENDPOINT_SHAPE, options),
    setUrl: async (url, options) => {
      requireText('url', url, 'Pass the URL of your receiver, with https.');
      const request = { fields: { url }, minTimeoutMs: PROOF_TIMEOUT_MS };
      return call('PUT', '', WEBHOOK_ENDPOINT_SHAPE, options, request);
    },
    test: (options) => call('POST', '/test', WEBHOOK_TEST_SHAPE, options, { minTimeoutMs: PROOF_TIMEOUT_MS }),
    pause: (options) => call('POST', '/pause', WEBHOOK_ENDPOINT_SHAPE, options),
    resume: ({ retryNow, ...options } = {}) =>
      call('POST', '/resume', WEBHOOK_ENDPOINT_SHAPE, options, { fields: { retryNow } }),
    rotateSecret: ({ overlapSeconds, ...options } = {}) =>
      call('POST', '/rotate-secret', ROTATED_WEBHOOK_SECRET_SHAPE, options, { fields: { overlapSeconds } }),
    deliveries: ({ state, ...options } = {}) =>
      createListing<WebhookDelivery>(
        execute,
        {
          path: '/webhook-endpoint/deliveries',
          route: ROUTE,
          shape: WEBHOOK_DELIVERY_SHAPE,
          filters: { state },
        },
        options,
      ),
    resend: async (eventId, options) => {
      requireText('eventId', eventId, 'Pass the eventId of a delivery.');
      return call(
        'POST',
        `/deliveries/${encodeURIComponent(eventId)}/resend`,
        RESENT_WEBHOOK_EVENT_SHAPE,
        options,
      );
    },
    resendSince: async (instant, options) => {
      const since = serializeInstant('since', instant);
      return call('POST', '/resend', WEBHOOK_RESEND_SHAPE, options, { fields: { since } });
    },
  };
}

const ROUTE = { kind: 'webhook_endpoint' } as const;
