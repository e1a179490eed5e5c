import type { CommandGroup, OperatorCommand } from '../command/command.js';
import type { DoctorCheck } from '../doctor/check.js';
import type { BaseGroup } from '../groups/groups.js';
import type { StatusPart } from '../report/status-part.js';

/** What a feature declares for the command line. */
export interface CliFeature {
  /** The name of its room, as in core. */
  readonly name: string;
  readonly groups?: Readonly<Record<string, CommandGroup>>;
  /** The group behind which the help lists its groups. By default, they come last. */
  readonly after?: BaseGroup;
  /** Commands that it adds to other groups. */
  readonly adds?: Readonly<Partial<Record<BaseGroup, CommandGroup['commands']>>>;
  /** Commands without a group. */
  readonly singles?: Readonly<Record<string, OperatorCommand>>;
  readonly status?: StatusPart;
  /** Checks of the doctor, after all others. */
  readonly checks?: readonly DoctorCheck[];
}
