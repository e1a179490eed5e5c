import type { AuditObject } from '../../domain/audit.js';
import type { SealedSigningSecret, StoredEndpoint } from '../../domain/endpoint.js';
import { signingSecrets } from '../../domain/endpoint-secrets.js';
import type { KeyId } from '../../domain/ids.js';
import { hashBinding } from '../../domain/page.js';
import { isWorkerAlive, MOST_WORKERS, type WorkerInstance } from '../../domain/worker-instance.js';
import { OperatorError } from '../../errors.js';
import type { CommandContext, Definitions } from '../../operator/command/definition.js';
import { flag, id, LIST_LIMIT, optional } from '../../operator/command/fields.js';
import { filter } from '../../operator/command/input.js';
import { type Runner, recordAct } from '../../operator/scope.js';
import type { SealingKeys, SecretBox } from '../../ports/host-services.js';
import type { Repositories, Storage } from '../../ports/storage.js';

/** How many signing secrets one sealing key has sealed. */
export interface SealedCount {
  /** Null if the secrets do not say which key sealed them. */
  readonly sealingKeyId: string | null;
  readonly secrets: number;
  /** Whether this process knows the key. */
  readonly isKnown: boolean;
}

/** Which sealing keys seal the signing secrets, and who knows them. */
export interface SealingReport {
  /** The key with which this process seals. */
  readonly sealingKeyId: string;
  /** By the id of the key. */
  readonly counts: readonly SealedCount[];
  /** How many secrets another key has sealed. */
  readonly left: number;
  /** The running workers that do not know the key. Processes without a worker are not listed. */
  readonly behind: readonly WorkerInstance[];
}

/** Where a batch of `reseal` starts. */
export interface Resealing {
  /** The `next` of the batch before; omitted for the first batch. */
  readonly after?: KeyId | undefined;
  /**
   * Whether to go on although running workers do not know the key; default: false. They send nothing until they know
   * it.
   */
  readonly force?: boolean | undefined;
}

/** A batch of endpoints whose signing secrets were sealed anew. */
export interface ResealedBatch {
  /** How many secrets were sealed anew. */
  readonly resealed: number;
  /** The keys of the endpoints with a secret that could not be opened or sealed. They keep what they have. */
  readonly failed: readonly KeyId[];
  /** Pass it as `after`; null after the last batch. */
  readonly next: KeyId | null;
}

/** The change of the keys that encrypt the signing secrets. `system.status` counts what is left. See docs/secrets.md. */
export interface SecretCommands {
  /**
   * Seals the signing secrets of at most 100 endpoints anew, in one transaction. The secrets stay the same, so partners
   * change nothing. A secret that is rotated meanwhile is left out. Stop whenever you like, and begin again.
   * @throws OperatorError `MISCONFIGURED` if the secret box has no `keyIds`, or if a running worker does not know the
   *   key, without `force`.
   * @example
   * let batch = await operator.secrets.reseal();
   * while (batch.next !== null) batch = await operator.secrets.reseal({ after: batch.next });
   */
  reseal(batch?: Resealing): Promise<ResealedBatch>;
}

export const secretDefinitions: Definitions<SecretCommands> = {
  reseal: {
    summary: 'Seals signing secrets anew with the current key; they stay the same',
    input: filter({
      after: optional(id('key'), 'The `next` of the batch before'),
      force: optional(flag, 'Also if running workers do not know the key'),
    }),
    pastTense: 'sealed signing secrets anew',
    run: resealBatch,
  },
};

const BATCH = 100;

/**
 * Counts the signing secrets by the key that sealed them, as `system.status` does with `sealing`.
 * @example
 * import { createSecretBox } from '@partner-hiring/core';
 * const box = createSecretBox(process.env.PARTNER_HIRING_SEALING_KEY ?? '');
 * const { left } = await findSealing(storage.direct, box, await storage.direct.time.now());
 */
export async function findSealing(
  { endpoints, workers }: Pick<Storage<never>['direct'], 'endpoints' | 'workers'>,
  { keyIds, keyIdOf }: SealingKeys,
  now: number,
): Promise<SealingReport> {
  const [sealingKeyId] = keyIds;
  const found = new Map<string | null, number>();
  for (let after: KeyId | null = null; ; ) {
    const rows: readonly StoredEndpoint[] = await endpoints.list({ after, limit: LIST_LIMIT.max });
    for (const { sealed } of rows.flatMap(({ secrets }) => secrets)) {
      const keyId = keyIdOf(sealed);
      found.set(keyId, (found.get(keyId) ?? 0) + 1);
    }
    after = rows.at(-1)?.keyId ?? null;
    if (rows.length < LIST_LIMIT.max) break;
  }
  const counts = [...found]
    .map(([keyId, secrets]) => ({
      sealingKeyId: keyId,
      secrets,
      isKnown: keyId !== null && keyIds.includes(keyId),
    }))
    .sort((a, b) => String(a.sealingKeyId).localeCompare(String(b.sealingKeyId), 'en'));
  const left = counts.reduce((sum, each) => sum + (each.sealingKeyId === sealingKeyId ? 0 : each.secrets), 0);
  return { sealingKeyId, counts, left, behind: await workersWithout({ workers }, sealingKeyId, now) };
}

/** @throws OperatorError `MISCONFIGURED` if the secret box has no `keyIds`. */
export async function readSealing({ read, settings }: Runner, now: number): Promise<SealingReport> {
  return findSealing(read, keysOf(settings.secretBox), now);
}

async function workersWithout(
  { workers }: Pick<Repositories, 'workers'>,
  sealingKeyId: string,
  now: number,
): Promise<readonly WorkerInstance[]> {
  const listed = await workers.list(MOST_WORKERS);
  return listed.filter(
    (worker) => isWorkerAlive(worker, now) && !worker.sealing?.keyIds?.includes(sealingKeyId),
  );
}

function keysOf({ keyIds, keyIdOf }: SecretBox): SealingKeys {
  const [current, ...older] = keyIds ?? [];
  if (current !== undefined && keyIdOf !== undefined) return { keyIds: [current, ...older], keyIdOf };
  throw new OperatorError(
    'MISCONFIGURED',
    'The `secretBox` does not say which key seals: it needs `keyIds` and `keyIdOf`. If its key service rotates its own ' +
      'keys, you need not seal anew.',
  );
}

async function resealBatch(
  { read, commit, now, settings }: CommandContext,
  { after, force = false }: Resealing,
): Promise<ResealedBatch> {
  const { secretBox } = settings;
  const { keyIds, keyIdOf } = keysOf(secretBox);
  const [sealingKeyId] = keyIds;
  const at = await now();
  if (!force) assertAllKnow(sealingKeyId, await workersWithout(read, sealingKeyId, at));
  const page = await read.endpoints.list({ after: after ?? null, limit: BATCH });
  const isOld = ({ sealed }: SealedSigningSecret) => keyIdOf(sealed) !== sealingKeyId;
  const old = page.filter(({ secrets }) => secrets.some(isOld));
  const made = await Promise.all(
    old.map(async (before) => {
      const secrets = await sealAnew(secretBox, before.keyId, signingSecrets(before, at), isOld);
      return { before, secrets };
    }),
  );
  const resealed = await commit(async (scope) => {
    const objects: AuditObject[] = [];
    let count = 0;
    for (const { before, secrets } of made) {
      const { keyId: id } = before;
      const stored = secrets && (await scope.tx.endpoints.findForUpdate(id));
      // It may have been rotated meanwhile.
      if (!stored || JSON.stringify(stored.secrets) !== JSON.stringify(before.secrets)) continue;
      await scope.tx.endpoints.save({ ...stored, secrets });
      objects.push({ kind: 'endpoint', id });
      count += secrets.filter((each) => !before.secrets.includes(each)).length;
    }
    const [first, ...others] = objects;
    if (first !== undefined)
      recordAct(scope, { objects: [first, ...others], count, after: { sealingKeyId } });
    return count;
  });
  const failed = made.filter(({ secrets }) => secrets === null).map(({ before }) => before.keyId);
  return { resealed, failed, next: page.length < BATCH ? null : (page.at(-1)?.keyId ?? null) };
}

/** Returns the secrets, the old ones sealed anew. Null if that fails for one. */
async function sealAnew(
  box: SecretBox,
  keyId: KeyId,
  secrets: readonly SealedSigningSecret[],
  isOld: (secret: SealedSigningSecret) => boolean,
): Promise<readonly SealedSigningSecret[] | null> {
  const context = { purpose: 'webhook_signing_secret', keyId } as const;
  const seal = async (secret: SealedSigningSecret) => {
    if (!isOld(secret)) return secret;
    const sealed = await box.seal(await box.open(secret.sealed, context), context);
    // Rotations with `ifCurrent` still find it by its id.
    return { ...secret, sealed, id: secret.id ?? hashBinding([secret.sealed]) };
  };
  return Promise.all(secrets.map(seal)).catch(() => null);
}

function assertAllKnow(sealingKeyId: string, behind: readonly WorkerInstance[]): void {
  if (behind.length === 0) return;
  const names = behind.map(({ name, pid }) => `${name} (process ${pid})`).join(', ');
  throw new OperatorError(
    'MISCONFIGURED',
    `Running workers do not know the sealing key ${sealingKeyId}, so they could not send: ${names}. Add the key to their ` +
      '`sealingKeys` and restart them, or pass `force: true`. Nothing was changed.',
  );
}
