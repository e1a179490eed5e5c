import type { Answer, Expectation } from '../check-result.js';
import type { FindingCode } from '../findings/findings.js';
import type { Sample } from '../samples.js';
import type { Delivery, Sender } from '../sender.js';

export interface Check {
  /** The name of the check, such as `tampered_body`. Names never change. */
  readonly name: string;
  /** A short description of the delivery that the check sends. */
  readonly sent: string;
  readonly expects: Expectation;
  /** The finding to report if the receiver does the opposite of `expects`. */
  readonly finding: FindingCode;
  /** The checks that must pass or warn before this check runs. If one of them fails, this check is skipped. */
  readonly after?: readonly string[];
  run(stage: Stage): Promise<readonly Answer[]>;
}

export interface Stage extends Sender {
  /** Returns a new made-up event of a type that the receiver accepts. */
  sample(): Sample;
}

/** Builds the `run` function of a check that sends one delivery. */
export function sending(make: (stage: Stage) => Promise<Delivery>): Check['run'] {
  return async (stage) => [await stage.send(await make(stage))];
}
