import { type DeploymentStanding, silenceText, standingOf } from '../domain/deployment.js';
import { HOUR_MS, type Instant, isReached } from '../domain/time.js';
import { OperatorError } from '../errors.js';
import type { Runtime } from '../ports/runtime.js';
import type { Repositories } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import type { PeriodicTask } from './loop.js';

/** Knows whether this process may send what the database has for the outside. */
export interface DeploymentWatch {
  readonly name: string | null;
  standing(): Promise<DeploymentStanding>;
  /** @throws OperatorError `OTHER_DEPLOYMENT` if this process must send nothing outside. */
  assertSending(): Promise<void>;
  /** Names a database without endpoints, and logs at the start and each hour if nothing is sent. */
  readonly task: PeriodicTask;
}

export interface DeploymentWatchOptions {
  readonly direct: Pick<Repositories, 'deployment'>;
  readonly deployment: string | null;
  readonly runtime: Pick<Runtime, 'clock'>;
  readonly logger: Logger;
}

/** Statements that lease work decide for themselves. This is for acts that send at once, and for people. */
export function createDeploymentWatch({
  direct,
  deployment,
  runtime: { clock },
  logger,
}: DeploymentWatchOptions): DeploymentWatch {
  let nextAt: Instant = Number.NEGATIVE_INFINITY;

  const standing = async () => standingOf(deployment, await direct.deployment.find());

  async function adopt(): Promise<void> {
    if (deployment === null) return;
    try {
      await direct.deployment.adopt(deployment);
    } catch (err) {
      // A read-only standby is never named.
      logger.debug({ err, deployment }, 'The database could not be named.');
    }
  }

  return {
    name: deployment,
    standing,
    async assertSending() {
      const text = silenceText(await standing());
      if (text !== null) throw new OperatorError('OTHER_DEPLOYMENT', `${text} Nothing was sent.`);
    },
    task: {
      name: 'watch-deployment',
      async poll() {
        const now = clock.now();
        if (!isReached(now, nextAt, HOUR_MS)) return 'nothing';
        if ((await standing()).reason === 'unnamed_database') await adopt();
        const found = await standing();
        nextAt = now + HOUR_MS;
        const text = silenceText(found);
        if (text !== null) logger.error({ ...found }, text);
        return 'nothing';
      },
      idle: async () => {},
    },
  };
}
