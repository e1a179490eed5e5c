import type { Instant } from '../../../domain/time.js';
import type { Runtime } from '../../../ports/runtime.js';
import type { Logger } from '../../../ports/telemetry.js';
import type { StorageClock } from '../../../storage-clock.js';
import type { AttemptPorts } from '../../attempt.js';
import type { FairSemaphore } from '../../fair-semaphore.js';
import type { WorkerOptions } from '../../options.js';
import type { Settle } from '../../settle.js';
import type { Poll } from '../poll.js';
import type { Renew } from './held-lease.js';

/** What all lanes of a worker share. */
export interface SenderContext {
  readonly poll: Poll;
  readonly renew: Renew;
  readonly settle: Settle;
  readonly slots: FairSemaphore;
  readonly ports: AttemptPorts;
  /** Its clock is for what happens within this process: polls, beats, turns, and the bound of its leases. */
  readonly runtime: Runtime;
  /** For what is stored or sent: when something is due, ended, or was signed. */
  readonly storageClock: StorageClock;
  readonly logger: Logger;
  readonly options: WorkerOptions;
  /** Whether a lane with nothing left to send may wait for more until it has to record. */
  mayLinger(): boolean;
  /** A lane has nothing left to send, and lingers; or no longer. */
  onLingering(isLingering: boolean): void;
  /** Whether a lane whose turn began at that instant must let others have theirs. */
  isTurnOver(beganAt: Instant, now: Instant): boolean;
}
