import type { Actor } from '../domain/audit.js';
import type { AllCommands } from '../features/operator-commands.js';
import type { Permit, Runner } from './scope.js';

/** Returns what acts as a partner: commands and a runner that ask `permit` in each transaction. */
export type ActAsPartner = (actor: Actor, permit: Permit) => PartnerActing;

export interface PartnerActing {
  readonly commands: AllCommands;
  readonly runner: Runner;
}
