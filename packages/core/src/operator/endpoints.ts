import type { PauseReason } from '../domain/endpoint.js';
import type { KeyId } from '../domain/ids.js';
import type { EndpointHealthReport } from './endpoints/endpoint-health.js';
import type { EndpointView } from './endpoints/endpoint-view.js';

/** Names the key whose endpoint a command is about. */
export interface EndpointTarget {
  readonly keyId: KeyId;
}

/** An endpoint after a command, and whether the command changed it. */
export interface EndpointOutcome {
  readonly endpoint: EndpointView;
  readonly changed: boolean;
}

/** An endpoint whose URL was set. */
export interface EndpointUrlOutcome extends EndpointOutcome {
  /** Of a new endpoint, shown here and never again; null where one had its URL changed. */
  readonly signingSecret: string | null;
}

/** An endpoint that was resumed. */
export interface EndpointResumption extends EndpointOutcome {
  /** Why it had been paused; null if it was not. */
  readonly pausedReason: PauseReason | null;
}

/** A rotation of a signing secret. */
export interface SigningSecretRotation extends EndpointTarget {
  /** How long the replaced secrets sign along, in milliseconds: 0 to 7 days, 24 hours if it is left out. */
  readonly overlapMs?: number;
}

/** Where keys want their events. A key has one endpoint. */
export interface EndpointCommands {
  /**
   * Gives the key an endpoint, or its endpoint another URL: secret, health and pause stay, and what waits goes
   * to the new one. A failure at the former one pauses nothing any more. A new endpoint gets the events from now on.
   *
   * @throws OperatorError `INVALID_INPUT` or `KEY_NOT_FOUND`.
   */
  setUrl(target: EndpointTarget & { readonly url: string }): Promise<EndpointUrlOutcome>;
  /**
   * Makes a new signing secret; those it replaces sign along for the overlap.
   *
   * @throws OperatorError `INVALID_INPUT`, `KEY_NOT_FOUND` or `ENDPOINT_NOT_FOUND`.
   */
  rotateSecret(rotation: SigningSecretRotation): Promise<{ readonly signingSecret: string }>;
  /**
   * Stops sending; events are still recorded. A worker that is sending begins no attempt after its next poll.
   *
   * @throws OperatorError `ENDPOINT_NOT_FOUND` or `KEY_NOT_FOUND`.
   */
  pause(target: EndpointTarget): Promise<EndpointOutcome>;
  /**
   * Sends again, whatever paused it: the counters start afresh and the backlog is released.
   *
   * @throws OperatorError `ENDPOINT_NOT_FOUND` or `KEY_NOT_FOUND`.
   */
  resume(target: EndpointTarget): Promise<EndpointResumption>;
  /** The endpoint of a key, or null. */
  find(target: EndpointTarget): Promise<EndpointView | null>;
  /** How the endpoint of a key does: health, what waits for it, its last failures; null without one. */
  health(target: EndpointTarget): Promise<EndpointHealthReport | null>;
  /** All endpoints. */
  list(): Promise<readonly EndpointView[]>;
}
