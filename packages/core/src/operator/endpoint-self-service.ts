import { type Actor, partnerActor } from '../domain/audit.js';
import { isSuccess } from '../domain/delivery.js';
import type { KeyId } from '../domain/ids.js';
import type { SendPlan } from '../domain/operation.js';
import { hashSecret, isSecretUsable, type PartnerKey } from '../domain/partner-key.js';
import { failureKind } from '../domain/self-service.js';
import { NetworkUnavailable, OperatorError, type OperatorErrorCode } from '../errors.js';
import type {
  EndpointSelfService,
  Own,
  OwnCredential,
  OwnEndpoint,
  OwnRefusal,
  OwnUrlChange,
} from '../ports/self-service.js';
import { type EndpointView, setEndpointUrl } from './change-endpoint.js';
import { assertAllowedUrl, storedUrl, url as urlField } from './command/fields.js';
import { InputProblem } from './command/input.js';
import type { DeliveryCommands } from './deliveries/delivery-commands.js';
import { firstPosition } from './deliveries/send-steps.js';
import type { EndpointTester } from './endpoint-tester.js';
import type { EndpointCommands } from './endpoints.js';
import { lockEndpoint, lockKey } from './find-or-throw.js';
import { newEndpoint } from './issue-key.js';
import { actOfPlan, filterOfPlan, startOperation } from './operations/start-operation.js';
import type { Runner, Scope } from './scope.js';
import { recordAct } from './scope.js';
import { createTestEvent } from './test-event.js';

interface Acting {
  readonly commands: {
    readonly endpoints: EndpointCommands & EndpointTester;
    readonly deliveries: DeliveryCommands;
  };
  readonly runner: Runner;
}

/** Each act has the partner as its actor in the audit. */
export function createEndpointSelfService(actingAs: (actor: Actor) => Acting): EndpointSelfService {
  async function actAs({ id, partnerId }: PartnerKey): Promise<Acting> {
    const nameless = actingAs(partnerActor(partnerId, null));
    const [owner] = await nameless.runner.read.names.ofKeys([id]);
    return actingAs(partnerActor(partnerId, owner?.partnerName ?? null));
  }
  async function own<Result>(
    key: PartnerKey,
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
      own(key, async ({ commands }, keyId) => {
        const endpoint = await commands.endpoints.find({ keyId });
        return endpoint === null ? refuse({ kind: 'no_endpoint' }) : done(viewOwn(endpoint));
      }),
    setUrl: (key, url, by) => own(key, ({ runner }) => setProvenUrl(runner, { key, url, by })),
    test: (key) =>
      own(key, async ({ commands }, keyId) => {
        const { event, isSuccess: isAccepted, outcome, latencyMs } = await commands.endpoints.test({ keyId });
        const status = outcome.kind === 'answered' ? outcome.status : null;
        const failure = isAccepted ? null : failureKind(outcome);
        return done({ eventId: event.id, isSuccess: isAccepted, status, failure, latencyMs });
      }),
    pause: (key) =>
      own(key, async ({ commands }, keyId) =>
        done(viewOwn((await commands.endpoints.pause({ keyId })).endpoint)),
      ),
    resume: (key, { retryNow }) =>
      own(key, async ({ commands }, keyId) =>
        done(viewOwn((await commands.endpoints.resume({ keyId, retryNow })).endpoint)),
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
        return done({ deliveries: items, nextCursor });
      }),
    resend: (key, eventId) =>
      own(key, async ({ commands }, keyId) => {
        const { delivery } = await commands.deliveries.redeliver({ keyId, eventId });
        return done({ eventId, state: delivery.state });
      }),
    resendSince: (key, since) =>
      own(key, async ({ runner }, keyId) => {
        const plan = { kind: 'redeliver_since', keyId, since, until: null } as const;
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
  DELIVERY_NOT_FOUND: { kind: 'no_event' },
  ILLEGAL_MOVE: { kind: 'paused_by_operator' },
  KEY_NOT_FOUND: { kind: 'key_ended' },
  PARTNER_DISABLED: { kind: 'key_ended' },
  PARTNER_REMOVED: { kind: 'key_ended' },
  // The partner chooses no other input that could be wrong.
  INVALID_INPUT: { kind: 'invalid_cursor' },
};

function refusalOf(error: unknown): OwnRefusal | null {
  if (error instanceof NetworkUnavailable) return { kind: 'no_network' };
  return error instanceof OperatorError ? (REFUSALS[error.code] ?? null) : null;
}

function viewOwn({ keyId, url, state, health, createdAt, resumedAt }: EndpointView): OwnEndpoint {
  return { keyId, url, state, health, createdAt, resumedAt };
}

interface UrlToProve {
  readonly key: PartnerKey;
  readonly url: string;
  readonly by: OwnCredential;
}

/** Proves a URL before it is stored. Nothing is locked meanwhile, because the answer may take 30 seconds. */
async function setProvenUrl(runner: Runner, { key, url: given, by }: UrlToProve): Promise<Own<OwnUrlChange>> {
  const { id: keyId } = key;
  const { settings, read } = runner;
  const rule = ruleOfUrl(given, settings.urlPolicy);
  if (rule !== null) return refuse({ kind: 'invalid_url', rule });
  const url = storedUrl(given);
  const existing = await read.endpoints.find(keyId);
  if (existing?.url === url) return done({ endpoint: viewOwn(existing), signingSecret: null });

  const now = await runner.now();
  const made = newEndpoint(settings, { keyId, url, createdAt: now });
  const candidate = existing === null ? made.endpoint : { ...existing, url };
  const event = createTestEvent('job.opened', keyId, now, settings.runtime.ids);
  const { outcome } = await settings.sendOnce(candidate, event);
  if (!isSuccess(outcome)) return refuse({ kind: 'not_proven', failure: failureKind(outcome) });

  return runner.run('endpoints.setUrl', async (scope) => {
    await lockKey(scope, keyId);
    if (!(await isStillValid(scope, key, by))) return refuse({ kind: 'key_ended' });
    const { endpoint, signingSecret } = await setEndpointUrl(scope, { keyId, url }, made);
    return done({ endpoint: viewOwn(endpoint), signingSecret });
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

/** A thief must not set a URL with a secret or a session that ended while the URL was proven. */
async function isStillValid(
  { tx, now }: Scope,
  { partnerId }: PartnerKey,
  by: OwnCredential,
): Promise<boolean> {
  if ('secretHash' in by) {
    const [found] = await tx.keys.findByHashes([by.secretHash]);
    return found != null && found.disabledAt === null && isSecretUsable(found.secret, await now());
  }
  const partner = await tx.partners.find(partnerId);
  if (partner === null || partner.disabledAt !== null) return false;
  if (by.session === null) return true;
  const session = await tx.portalPasses.find(hashSecret(by.session));
  return session?.kind === 'session' && session.partnerId === partnerId && (await now()) < session.expiresAt;
}

/** Starts an operation. Returns false if another one already sends events of this key again. */
async function startResend(
  scope: Scope,
  plan: Extract<SendPlan, { kind: 'redeliver_since' }>,
): Promise<boolean> {
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
    if (running.some(({ plan }) => isResendOf(plan, keyId))) return true;
    after = running.at(-1);
    if (running.length < OPERATIONS_A_PAGE) return false;
  }
}

function isResendOf(plan: { readonly kind: string; readonly keyId?: KeyId }, keyId: KeyId): boolean {
  return (plan.kind === 'redeliver_since' || plan.kind === 'redeliver_all') && plan.keyId === keyId;
}
