import { DEPLOYMENT_NAME_RULE, isDeploymentName, type NamedDeployment } from '../../domain/deployment.js';
import type { Operation } from '../../domain/operation.js';
import { DAY_MS } from '../../domain/time.js';
import { isWorkerAlive, MOST_WORKERS } from '../../domain/worker-instance.js';
import { OperatorError } from '../../errors.js';
import type { CommandContext, Definitions } from '../../operator/command/definition.js';
import { dryRun, flag, optional, value } from '../../operator/command/fields.js';
import { record } from '../../operator/command/input.js';
import { type Change, recordAct, type Scope } from '../../operator/scope.js';
import type { DisarmedCounts } from '../../ports/repositories/deployment.js';
import { eraseMany } from '../privacy/erase-many.js';

/** A new name for the database. */
export interface DeploymentNaming {
  /** 1 to 32 letters, digits, dots, hyphens or underscores, beginning with a letter or digit. */
  readonly name: string;
}

/** Takes a copy over. */
export interface DeploymentClaim extends DeploymentNaming {
  /** The name that the database has now; omitted if it has none. */
  readonly from?: string | undefined;
  /** Whether to also revoke all API keys; default: false, so that the keys of production also work here. */
  readonly revokeKeys?: boolean | undefined;
  /** Whether to also erase all candidates, as `candidates.eraseMany` does; default: false. */
  readonly eraseCandidates?: boolean | undefined;
  /** Whether to only count, and change nothing; default: false. */
  readonly dryRun?: boolean | undefined;
}

/** A claimed copy. */
export interface DeploymentClaimed extends DisarmedCounts {
  /** False only with `dryRun`. */
  readonly changed: boolean;
  /** The erasure of all candidates, which the worker runs; null without `eraseCandidates`, and with `dryRun`. */
  readonly operation: Operation | null;
}

/**
 * Says to which deployment the database belongs, so that a copy of it sends nothing to partners. `system.status` shows
 * it as `deployment`.
 */
export interface DeploymentCommands {
  /**
   * Gives the database a name, at the place where it is now: its first name, or another one after a move. Changes
   * nothing else.
   * @example
   * await operator.deployment.rename({ name: 'production' });
   */
  rename(naming: DeploymentNaming): Promise<{ readonly changed: boolean }>;
  /**
   * Takes a copy over: gives it a name and a place, pauses every endpoint, ends the links and sessions of the portal,
   * and drops what waited to be sent. Production is not affected.
   * @throws OperatorError `OTHER_DEPLOYMENT` if `from` is not the name of the database; `DEPLOYMENT_IN_USE` if a
   *   worker of another deployment was alive in the last 90 seconds.
   * @example
   * await operator.deployment.claim({ name: 'staging', from: 'production', revokeKeys: true });
   */
  claim(claim: DeploymentClaim): Promise<DeploymentClaimed>;
}

const name = value<string>(isDeploymentName, DEPLOYMENT_NAME_RULE, 'text');

export const deploymentDefinitions: Definitions<DeploymentCommands> = {
  rename: {
    summary: 'Gives the database a name, at the place where it is now',
    input: record({ name }),
    pastTense: 'renamed the deployment',
    run: ({ commit }, naming) =>
      commit(async (scope) => {
        const before = await scope.tx.deployment.find();
        const changed = before?.name !== naming.name || !before.isInPlace;
        if (changed) await takeName(scope, before, naming.name);
        return { changed };
      }),
  },
  claim: {
    summary: 'Takes a copy of a database over, and disarms it',
    input: record({
      name,
      from: optional(name, 'The name that the database has now'),
      revokeKeys: optional(flag, 'Also revokes all API keys'),
      eraseCandidates: optional(flag, 'Also erases all candidates'),
      dryRun,
    }),
    pastTense: 'claimed a copy of a deployment',
    run: claimCopy,
  },
};

async function claimCopy(context: CommandContext, claim: DeploymentClaim): Promise<DeploymentClaimed> {
  const { revokeKeys = false, eraseCandidates = false, dryRun: isDryRun = false } = claim;
  const counts = await context.commit(async (scope) => {
    const named = await scope.tx.deployment.find();
    assertNamed(named, claim.from);
    await assertUnused(scope, claim.name);
    const found = await scope.tx.deployment.count();
    if (isDryRun) return found;
    await takeName(scope, named, claim.name, { ...found, revokeKeys, eraseCandidates });
    await scope.tx.deployment.disarm(await scope.now(), revokeKeys);
    return found;
  });
  if (isDryRun) return { ...counts, changed: false, operation: null };
  const erasure = eraseCandidates ? await eraseAll(context) : null;
  return { ...counts, changed: true, operation: erasure?.operation ?? null };
}

async function takeName(
  scope: Scope,
  before: NamedDeployment | null,
  after: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await scope.tx.deployment.save(after);
  const change: Change = {
    objects: [{ kind: 'deployment', id: after }],
    before: { name: before?.name ?? null },
    after: { name: after, ...details },
  };
  recordAct(scope, change);
}

/** A change while the erasure runs keeps nobody. */
async function eraseAll(context: CommandContext) {
  const changedBefore = (await context.now()) + DAY_MS;
  return eraseMany(context, { changedBefore, clearSourceApplicationId: true });
}

function assertNamed(named: NamedDeployment | null, from: string | undefined): void {
  const current = named?.name;
  if (current === from) return;
  const text = current === undefined ? 'has no name' : `belongs to ${current}`;
  throw new OperatorError(
    'OTHER_DEPLOYMENT',
    `The database ${text}. Pass that as \`from\`, so that nobody claims another database by mistake. Nothing was changed.`,
  );
}

async function assertUnused({ tx, now }: Scope, claiming: string): Promise<void> {
  const at = await now();
  const other = (await tx.workers.list(MOST_WORKERS)).find(
    (worker) => worker.deployment !== claiming && isWorkerAlive(worker, at),
  );
  if (other === undefined) return;
  const whose = other.deployment === null ? 'without a deployment' : `of ${other.deployment}`;
  throw new OperatorError(
    'DEPLOYMENT_IN_USE',
    `The worker ${other.name} (process ${other.pid}) ${whose} was alive in the last 90 seconds, so this may be its database. ` +
      'If it is a copy that was made a moment ago, wait for 90 seconds. Nothing was changed.',
  );
}
