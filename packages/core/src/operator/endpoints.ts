import type { Endpoint } from '../domain/endpoint.js';
import {
  type EndpointOutcome,
  type EndpointResumption,
  type EndpointTarget,
  type EndpointUrlOutcome,
  pauseEndpoint,
  type ResumeTarget,
  restoreEndpointUrl,
  resumeSending,
  rotateSigningSecret,
  type SigningSecretRotation,
  setUrl,
  viewEndpoint,
} from './change-endpoint.js';
import { onHost, onKey } from './command/claims.js';
import { type Definitions, inTransaction } from './command/definition.js';
import { dryRun, flag, id, optional, page, range, rotation, url } from './command/fields.js';
import { filter, record } from './command/input.js';
import {
  type EndpointReport,
  listEndpoints,
  listFailingEndpoints,
  reportEndpoint,
} from './endpoint-report.js';
import { newSigningSecret } from './issue-key.js';
import type { Page, PageOptions } from './page-cursor.js';
import type { HourFilter } from './system/system-overview.js';
import { type EndpointActivity, findActivity } from './system/system-overview.js';

/** Selects endpoints. */
export interface EndpointFilter extends PageOptions {
  /** Whether to select only paused endpoints, longest paused first; default: false. */
  readonly onlyPaused?: boolean | undefined;
}

/** Manages webhook endpoints. A key has at most one. */
export interface EndpointCommands {
  /**
   * Creates the key's endpoint, or changes its URL. Stores the URL as `new URL(url).href`. A change keeps the secrets,
   * the health and the paused state, and pending events go to the new URL.
   * @throws OperatorError `KEY_NOT_FOUND`; `PARTNER_DISABLED` or `PARTNER_REMOVED` if the key has no endpoint yet.
   * @example
   * const { signingSecret } = await operator.endpoints.setUrl({ keyId, url: 'https://ats.example/webhooks' });
   */
  setUrl(target: EndpointTarget & { readonly url: string }): Promise<EndpointUrlOutcome>;
  /**
   * Restores the URL that the partner itself has replaced with its API key, for 24 hours after its last change. Use it if
   * the key was stolen. Pending events go to the restored URL. Also revoke the key's secrets, or the thief changes the URL
   * again. If there is no URL to restore, `changed` is false.
   * @throws OperatorError `KEY_NOT_FOUND`; `ENDPOINT_NOT_FOUND`.
   * @example
   * const { endpoint, changed } = await operator.endpoints.restoreUrl({ keyId });
   */
  restoreUrl(target: EndpointTarget): Promise<EndpointOutcome>;
  /**
   * Creates a signing secret and returns it. It is not shown again. During the overlap, the old and new
   * secrets sign each attempt.
   * @throws OperatorError `KEY_NOT_FOUND`; `ENDPOINT_NOT_FOUND`; `SECRET_REPLACED` if `ifCurrent` is not the current
   *   secret.
   * @example
   * const { signingSecret } = await operator.endpoints.rotateSecret({ keyId, overlapMs: 60 * 60 * 1000 });
   */
  rotateSecret(rotation: SigningSecretRotation): Promise<{ readonly signingSecret: string }>;
  /**
   * Pauses an endpoint until `resume`, whatever paused it before. Sending stops at the next poll; events are still recorded.
   * @throws OperatorError `ENDPOINT_NOT_FOUND`; `KEY_NOT_FOUND`.
   * @example
   * const { changed } = await operator.endpoints.pause({ keyId });
   */
  pause(target: EndpointTarget): Promise<EndpointOutcome>;
  /**
   * Resumes sending, starting with the backlog, and resets the failure counters; without `retryNow`, retries keep their
   * time. With `retryNow`, deliveries that wait for their next attempt are due now, even if the endpoint was active.
   * After 10,000 of them, the worker brings forward the rest as an operation. With `dryRun`, the endpoint stays paused.
   * An active endpoint that is sent to slowly gets one attempt now: `changed` is true, and `pausedReason` null.
   * @throws OperatorError `KEY_NOT_FOUND`; `ENDPOINT_NOT_FOUND`; `PARTNER_DISABLED` or `PARTNER_REMOVED` if the
   *   endpoint is paused.
   * @example
   * const { pausedReason, count } = await operator.endpoints.resume({ keyId, retryNow: true });
   */
  resume(target: ResumeTarget): Promise<EndpointResumption>;
  /**
   * Returns the endpoint of a key, or null.
   * @example
   * const endpoint = await operator.endpoints.find({ keyId });
   * const isPaused = endpoint?.state.kind === 'paused';
   */
  find(target: EndpointTarget): Promise<Endpoint | null>;
  /**
   * Returns an endpoint with its backlog. `deliveries.listAttempts` has its last attempts.
   * @throws OperatorError `ENDPOINT_NOT_FOUND`.
   * @example
   * const { keyLabel, health, counts } = await operator.endpoints.health({ keyId });
   * console.log(keyLabel, health.consecutiveFailures, counts.scheduled);
   */
  health(target: EndpointTarget): Promise<EndpointReport>;
  /**
   * Returns how many attempts of an endpoint succeeded and failed in each hour. Starts 24 hours ago by default. Workers
   * add to the counts every 30 seconds.
   * @throws OperatorError `ENDPOINT_NOT_FOUND`.
   * @example
   * const activity = await operator.endpoints.activity({ keyId });
   * const failed = activity.hours.map((hour) => hour.failed);
   */
  activity(target: EndpointTarget & HourFilter): Promise<EndpointActivity>;
  /**
   * Returns a page of all endpoints in the order of key ids, or of the paused ones, longest paused first, 100 by default.
   * @example
   * const { items: paused } = await operator.endpoints.list({ onlyPaused: true });
   * const urls = paused.map(({ keyLabel, url }) => [keyLabel, url]);
   */
  list(filter?: EndpointFilter): Promise<Page<EndpointReport>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { keyLabel, url } of operator.endpoints.each()) console.log(keyLabel, url);
   */
  each(filter?: EndpointFilter): AsyncIterable<EndpointReport>;
  /**
   * Returns a page of the endpoints that are failing, even paused ones, longest failing first, 100 by default. An endpoint
   * is failing from its first failed attempt to its next success.
   * @example
   * const { items: endpoints } = await operator.endpoints.listFailing({ limit: 20 });
   * const failures = endpoints.map(({ partnerName, health }) => [partnerName, health.consecutiveFailures]);
   */
  listFailing(page?: PageOptions): Promise<Page<EndpointReport>>;
  /**
   * Iterates over the rows of `listFailing` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { partnerName, counts } of operator.endpoints.eachFailing()) console.log(partnerName, counts.due);
   */
  eachFailing(page?: PageOptions): AsyncIterable<EndpointReport>;
}

const target = { keyId: id('key') };

export const endpointDefinitions: Definitions<EndpointCommands> = {
  setUrl: {
    summary: 'Creates the endpoint of a key, or changes its URL',
    input: record({ ...target, url }),
    pastTense: 'set the address of the endpoint',
    right: 'endpoints:set-url',
    claims: onKey,
    run: setUrl,
  },
  restoreUrl: {
    summary: 'Restores the URL that the partner itself replaced in the last 24 hours',
    input: record(target),
    pastTense: 'restored the address of the endpoint',
    right: 'endpoints:set-url',
    claims: onKey,
    run: inTransaction(restoreEndpointUrl),
  },
  rotateSecret: {
    summary: 'Creates a new signing secret; both sign during the overlap',
    input: record({ ...target, ...rotation }),
    pastTense: 'rotated the signing secret',
    right: 'endpoints:rotate-secret',
    claims: onKey,
    run: async ({ commit, settings }, input) => {
      const made = await newSigningSecret(settings, input.keyId);
      return commit((scope) => rotateSigningSecret(scope, input, made));
    },
  },
  pause: {
    summary: 'Pauses sending; events are still recorded',
    input: record(target),
    pastTense: 'paused sending',
    right: 'endpoints:pause',
    claims: onKey,
    run: ({ commit }, { keyId }) => commit((scope) => pauseEndpoint(scope, keyId)),
  },
  resume: {
    summary: 'Resumes sending, starting with the backlog',
    input: record({
      ...target,
      retryNow: optional(flag, 'Also sends now what waits for its next attempt'),
      dryRun,
    }),
    pastTense: 'resumed sending',
    right: 'endpoints:resume',
    claims: onKey,
    run: resumeSending,
  },
  find: {
    summary: 'Shows an endpoint',
    input: record(target),
    right: 'endpoints:read',
    claims: onKey,
    run: async ({ read, now }, { keyId }) => {
      const endpoint = await read.endpoints.find(keyId);
      return endpoint && viewEndpoint(endpoint, await now());
    },
  },
  health: {
    summary: 'Shows the health of an endpoint: state, failures, backlog',
    input: record(target),
    right: 'endpoints:read',
    claims: onKey,
    run: (context, { keyId }) => reportEndpoint(context, keyId),
  },
  activity: {
    summary: 'Counts the attempts of an endpoint in each hour',
    input: record({ ...target, since: range.since }),
    right: 'endpoints:read',
    claims: onKey,
    run: findActivity,
  },
  list: {
    summary: 'Lists endpoints and their health',
    input: filter({ onlyPaused: optional(flag, 'Only paused ones, longest paused first'), ...page }),
    right: 'endpoints:read',
    claims: onHost,
    run: listEndpoints,
  },
  listFailing: {
    summary: 'Lists endpoints whose last attempt failed, longest first',
    input: filter(page),
    right: 'endpoints:read',
    claims: onHost,
    run: listFailingEndpoints,
  },
};
