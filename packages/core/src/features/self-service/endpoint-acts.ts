import { type Actor, partnerActor } from '../../domain/audit.js';
import { isSuccess } from '../../domain/delivery.js';
import { failureKind } from '../../domain/endpoint-failure.js';
import { originOf } from '../../domain/failing-endpoint.js';
import type { KeyId } from '../../domain/ids.js';
import type { SendPlan } from '../../domain/operation.js';
import type { PartnerKey } from '../../domain/partner-key.js';
import { NetworkUnavailable, OperatorError, type OperatorErrorCode } from '../../errors.js';
import { setEndpointUrl } from '../../groups/deliveries/change-endpoint.js';
import type { DeliveryCommands } from '../../groups/deliveries/delivery-commands.js';
import type { EndpointCommands } from '../../groups/deliveries/endpoint-commands.js';
import type { EndpointTester } from '../../groups/deliveries/endpoint-tester.js';
import { resendEvents } from '../../groups/deliveries/resend.js';
import { firstPosition } from '../../groups/deliveries/send-steps.js';
import { createTestEvent } from '../../groups/deliveries/test-event.js';
import { type NewSigningSecret, newEndpoint, newSigningSecret } from '../../groups/partners/issue-key.js';
import { secretPermit } from '../../groups/partners/partner-permits.js';
import { assertAllowedUrl, storedUrl, url as urlField } from '../../operator/command/fields.js';
import { InputProblem } from '../../operator/command/input.js';
import { lockEndpoint } from '../../operator/find-or-throw.js';
import { actOfPlan, filterOfPlan, startOperation } from '../../operator/operations/start-operation.js';
import { type Permit, type Runner, recordAct, type Scope } from '../../operator/scope.js';
import { ownDelivery, ownEndpoint } from './own-shapes.js';
import type { ChangedUrl, EndpointSelfService, Own, OwnRefusal } from './service.js';

interface Acting {
  readonly commands: {
    readonly endpoints: EndpointCommands & EndpointTester;
    readonly deliveries: DeliveryCommands;
  };
  readonly runner: Runner;
}

/** What partners do with an API key. Each act has the partner as its actor in the audit. */
export function createEndpointSelfService(
  actingAs: (actor: Actor, permit: Permit) => Acting,
): EndpointSelfService {
  return createEndpointActs(async (key) => {
    const { id, partnerId, secretHash } = key;
    const as = (name: string | null) =>
      actingAs(partnerActor(partnerId, { name, door: 'api' }), secretPermit(key, secretHash));
    const [owner] = await as(null).runner.read.names.ofKeys([id]);
    return as(owner?.partnerName ?? null);
  });
}

/** @param actAs - returns the commands for the partner of a key. */
export function createEndpointActs<Key extends PartnerKey>(
  actAs: (key: Key) => Promise<Acting>,
): EndpointSelfService<Key> {
  async function own<Result>(
    key: Key,
    act: (acting: Acting, keyId: KeyId) => Promise<Own<Result>>,
  ): Promise<Own<Result>> {
    try {
      return await act(await actAs(key), key.id);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      return refuse(refusal);
    }
  }

  return {
    find: (key) =>
      own(key, async ({ runner }, keyId) => {
        const endpoint = await runner.read.endpoints.find(keyId);
        return endpoint === null ? refuse({ kind: 'no_endpoint' }) : done(ownEndpoint(endpoint));
      }),
    setUrl: (key, url) => own(key, ({ runner }) => setProvenUrl(runner, key, url)),
    test: (key) =>
      own(key, async ({ commands }, keyId) => {
        const { event, isSuccess: isAccepted, outcome, latencyMs } = await commands.endpoints.test({ keyId });
        const status = outcome.kind === 'answered' ? outcome.status : null;
        const failure = isAccepted ? null : failureKind(outcome);
        return done({ eventId: event.id, isSuccess: isAccepted, status, failure, latencyMs });
      }),
    pause: (key) =>
      own(key, async ({ commands }, keyId) =>
        done(ownEndpoint((await commands.endpoints.pause({ keyId })).endpoint)),
      ),
    resume: (key, { retryNow }) =>
      own(key, async ({ commands }, keyId) =>
        done(ownEndpoint((await commands.endpoints.resume({ keyId, retryNow })).endpoint)),
      ),
    rotateSecret: (key, { overlapMs, ifCurrent }) =>
      own(key, async ({ commands, runner }, keyId) => {
        const { signingSecret } = await commands.endpoints.rotateSecret({ keyId, overlapMs, ifCurrent });
        return done({ signingSecret, oldSecretsExpireAt: (await runner.now()) + overlapMs });
      }),
    listDeliveries: (key, { state, cursor, limit }) =>
      own(key, async ({ commands }, keyId) => {
        const filter = { keyId, state: state ?? undefined, cursor: cursor ?? undefined, limit };
        const { items, nextCursor } = await commands.deliveries.list(filter);
        return done({ items: items.map(ownDelivery), nextCursor });
      }),
    resend: (key, eventId) =>
      own(key, async ({ runner }, keyId) => {
        const rules = { only: null, isDryRun: false };
        const { standings } = await runner.run('deliveries.resend', (scope) =>
          resendEvents(scope, keyId, [eventId], rules),
        );
        const [standing] = standings;
        if (standing === undefined) return refuse({ kind: 'no_event' });
        const isCancelled = standing.delivery.state === 'cancelled';
        return isCancelled ? refuse({ kind: 'cancelled_by_operator' }) : done({ eventId, state: 'pending' });
      }),
    resendSince: (key, since) =>
      own(key, async ({ runner }, keyId) => {
        const plan = { kind: 'resend', keyId, since, until: null, only: null } as const;
        const isStarted = await runner.run(actOfPlan(plan), (scope) => startResend(scope, plan));
        return isStarted ? done({ since }) : refuse({ kind: 'already_resending' });
      }),
  };
}

function done<Result>(result: Result): Own<Result> {
  return { kind: 'done', result };
}

function refuse(refusal: OwnRefusal): Own<never> {
  return { kind: 'refused', refusal };
}

const REFUSALS: Partial<Record<OperatorErrorCode, OwnRefusal>> = {
  ENDPOINT_NOT_FOUND: { kind: 'no_endpoint' },
  ILLEGAL_MOVE: { kind: 'paused_by_operator' },
  CREDENTIAL_ENDED: { kind: 'key_ended' },
  KEY_NOT_FOUND: { kind: 'key_ended' },
  PARTNER_DISABLED: { kind: 'key_ended' },
  PARTNER_REMOVED: { kind: 'key_ended' },
  // The partner chooses no other input that could be wrong.
  INVALID_INPUT: { kind: 'invalid_cursor' },
};

function refusalOf(error: unknown): OwnRefusal | null {
  if (error instanceof NetworkUnavailable) return { kind: 'no_network' };
  if (!(error instanceof OperatorError)) return null;
  const { code, message } = error;
  return code === 'TOO_MANY_SECRETS' ? { kind: 'too_many_secrets', message } : (REFUSALS[code] ?? null);
}

/** Proves a URL before it is stored. Nothing is locked meanwhile, because the answer may take 30 seconds. */
async function setProvenUrl(
  runner: Runner,
  { id: keyId }: PartnerKey,
  given: string,
): Promise<Own<ChangedUrl>> {
  const { settings } = runner;
  const rule = ruleOfUrl(given, settings.urlPolicy);
  if (rule !== null) return refuse({ kind: 'invalid_url', rule });
  const url = storedUrl(given);
  // Nothing is sent for somebody whose key or session has ended.
  const existing = await runner.run(null, ({ tx }) => tx.endpoints.find(keyId));
  if (existing?.url === url) return done({ endpoint: ownEndpoint(existing), signingSecret: null });

  const now = await runner.now();
  let made: NewSigningSecret | null = null;
  let candidate = existing && { ...existing, url };
  if (candidate === null) {
    made = await newSigningSecret(settings, keyId);
    candidate = newEndpoint(made, url, now);
  }
  const event = createTestEvent('job.opened', keyId, now, settings.runtime.ids);
  const { outcome } = await settings.sendOnce(candidate, event);
  return runner.run('endpoints.setUrl', async (scope) => {
    if (!isSuccess(outcome)) {
      const failure = failureKind(outcome);
      const after = { refusedOrigin: originOf(url), failure };
      recordAct(scope, { objects: [{ kind: 'endpoint', id: keyId }], keyId, after });
      return refuse({ kind: 'not_proven', failure });
    }
    const { endpoint, signingSecret } = await setEndpointUrl(scope, { keyId, url }, made);
    return done({ endpoint: ownEndpoint(endpoint), signingSecret });
  });
}

/** Returns what the URL must be, or null if it is allowed. */
function ruleOfUrl(given: string, policy: Scope['urlPolicy']): string | null {
  if (!urlField.safeParse(given).success) return 'must be an absolute URL of at most 2048 characters';
  try {
    assertAllowedUrl(given, 'url', policy);
    return null;
  } catch (error) {
    if (error instanceof InputProblem) return 'must be https, without credentials';
    throw error;
  }
}

/** Starts an operation. Returns false if another one already resends events of this key. */
async function startResend(scope: Scope, plan: Extract<SendPlan, { kind: 'resend' }>): Promise<boolean> {
  const { keyId } = plan;
  await lockEndpoint(scope, keyId);
  if (await isResending(scope, keyId)) return false;
  const createdAt = await scope.now();
  const counts = { done: 0, skipped: 0, total: null };
  const { id } = await startOperation(scope, { plan, position: firstPosition(plan), counts, createdAt });
  const objects = [
    { kind: 'endpoint', id: keyId },
    { kind: 'operation', id },
  ] as const;
  recordAct(scope, { objects, keyId, filter: filterOfPlan(plan) });
  return true;
}

const OPERATIONS_A_PAGE = 100;

async function isResending({ tx }: Scope, keyId: KeyId): Promise<boolean> {
  for (let after: Parameters<typeof tx.operations.list>[0]['after']; ; ) {
    const running = await tx.operations.list({ state: 'running', after, limit: OPERATIONS_A_PAGE });
    if (running.some(({ plan }) => plan.kind === 'resend' && plan.keyId === keyId)) return true;
    after = running.at(-1);
    if (running.length < OPERATIONS_A_PAGE) return false;
  }
}
