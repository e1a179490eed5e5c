import { onHost, onKey } from '../../operator/command/claims.js';
import type { Definitions } from '../../operator/command/definition.js';
import {
  dryRun,
  flag,
  id,
  only,
  optional,
  page,
  range,
  rotation,
  url,
} from '../../operator/command/fields.js';
import { either, filter, record } from '../../operator/command/input.js';
import type { Page } from '../../operator/page-cursor.js';
import { newSigningSecret } from '../partners/issue-key.js';
import {
  type EndpointOutcome,
  type EndpointResumption,
  type EndpointTarget,
  type EndpointUrlChange,
  type EndpointUrlOutcome,
  pauseEndpoint,
  type ResumeTarget,
  resumeSending,
  rotateSigningSecret,
  type SigningSecretRotation,
  setUrl,
} from './change-endpoint.js';
import type { HourFilter } from './count-hours.js';
import {
  type EndpointDetails,
  type EndpointFilter,
  type EndpointReport,
  findEndpointDetails,
  listEndpoints,
} from './endpoint-report.js';

/** Manages webhook endpoints. A key has at most one. */
export interface EndpointCommands {
  /**
   * Creates the key's endpoint, or changes its URL. Stores the URL as `new URL(url).href`. A change keeps the secrets,
   * the health and the paused state, and pending events go to the new URL. `restore: true` undoes the partner's own
   * changes if the key was stolen: also revoke the key's secrets, or the thief changes the URL again.
   * @throws OperatorError `KEY_NOT_FOUND`; `PARTNER_DISABLED` or `PARTNER_REMOVED` if the key has no endpoint yet.
   *   With `restore`, `ENDPOINT_NOT_FOUND` if the key has no endpoint.
   * @example
   * const { signingSecret } = await operator.endpoints.setUrl({ keyId, url: 'https://ats.example/webhooks' });
   * const { endpoint, changed } = await operator.endpoints.setUrl({ keyId, restore: true });
   */
  setUrl(change: EndpointUrlChange): Promise<EndpointUrlOutcome>;
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
   * Returns the endpoint of a key, with its health, what waits, and how many attempts succeeded and failed in each hour,
   * or null. Workers add to the counts of hours every 30 seconds. `deliveries.listAttempts` has the last attempts.
   * @example
   * const endpoint = await operator.endpoints.find({ keyId });
   * const isPaused = endpoint?.state.kind === 'paused';
   * console.log(endpoint?.health.consecutiveFailures, endpoint?.counts.scheduled, endpoint?.hours.at(-1)?.failed);
   */
  find(lookup: EndpointTarget & HourFilter): Promise<EndpointDetails | null>;
  /**
   * Returns a page of all endpoints in the order of key ids, or of the paused or failing ones, longest paused or failing
   * first, 100 by default.
   * @example
   * const { items: paused } = await operator.endpoints.list({ onlyPaused: true });
   * const { items: failing } = await operator.endpoints.list({ onlyFailing: true, limit: 20 });
   */
  list(filter?: EndpointFilter): Promise<Page<EndpointReport>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { keyLabel, url } of operator.endpoints.each()) console.log(keyLabel, url);
   */
  each(filter?: EndpointFilter): AsyncIterable<EndpointReport>;
}

const target = { keyId: id('key') };

export const endpointDefinitions: Definitions<EndpointCommands> = {
  setUrl: {
    summary: 'Creates the endpoint of a key, or changes its URL',
    input: either<EndpointUrlChange>()(
      {
        ...target,
        url: optional(url, 'The new URL'),
        restore: optional(
          only(true),
          'Restores the URL that the partner itself replaced in the last 24 hours',
        ),
      },
      ({ url: given, restore }) =>
        (given === undefined) === (restore === undefined)
          ? [{ rule: 'must have url, or restore: true' }]
          : [],
    ),
    pastTense: 'set the address of the endpoint',
    right: 'endpoints:set-url',
    claims: onKey,
    run: setUrl,
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
    summary: 'Shows an endpoint: state, failures, what waits, attempts by the hour',
    input: record({ ...target, since: range.since }),
    right: 'endpoints:read',
    claims: onKey,
    run: findEndpointDetails,
  },
  list: {
    summary: 'Lists endpoints and their health',
    input: filter({
      onlyPaused: optional(flag, 'Only paused ones, longest paused first'),
      onlyFailing: optional(flag, 'Only those whose last attempt failed, longest failing first'),
      ...page,
    }),
    right: 'endpoints:read',
    claims: onHost,
    run: listEndpoints,
  },
};
