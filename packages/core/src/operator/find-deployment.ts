import {
  type DeploymentStanding,
  type NamedDeployment,
  silenceText,
  standingOf,
} from '../domain/deployment.js';
import type { Instant } from '../domain/time.js';
import type { Repositories } from '../ports/storage.js';
import type { OperatorSettings } from './scope.js';

/** The deployment of the database, and whether this process sends. */
export interface DeploymentReport extends DeploymentStanding {
  /** The deployment of the database; null if it has no name. */
  readonly named: NamedDeployment | null;
  /** Why the process sends nothing, and the two ways out; null if it sends. */
  readonly advice: string | null;
  /** Since when this process cannot open a signing secret; null if it can. */
  readonly secretsFailingSince: Instant | null;
}

/** A database without a name and without endpoints takes the name of its first process, so nothing is wrong with it. */
export async function findDeployment(
  { deployment, endpoints }: Pick<Repositories, 'deployment' | 'endpoints'>,
  { deployment: process = null, secretBox }: Pick<OperatorSettings, 'deployment' | 'secretBox'>,
): Promise<DeploymentReport> {
  const named = await deployment.find();
  const standing = standingOf(process, named);
  const isUnused =
    standing.reason === 'unnamed_database' && (await endpoints.list({ after: null, limit: 1 })).length === 0;
  const found = isUnused ? { ...standing, isSending: true, reason: null } : standing;
  const secretsFailingSince = secretBox.failingSince?.() ?? null;
  return { ...found, named, advice: silenceText(found), secretsFailingSince };
}

const SECRETS_FAIL =
  'Signing secrets cannot be opened, so their events wait: check the key service or the sealing key.';

/** Returns why this process sends nothing, or not to all endpoints; null if it sends. */
export async function findSilence(...given: Parameters<typeof findDeployment>): Promise<string | null> {
  const { advice, secretsFailingSince } = await findDeployment(...given);
  return advice ?? (secretsFailingSince === null ? null : SECRETS_FAIL);
}
