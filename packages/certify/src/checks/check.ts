import type { Answer } from '../answer.js';
import type { Expectation } from '../check-result.js';
import type { FindingCode } from '../findings/findings.js';
import type { Sample } from '../samples.js';
import type { Delivery, Sender } from '../sender.js';

export interface Check {
  /** Stable, e.g. `tampered_body`. */
  readonly name: string;
  /** A short description of the delivery. */
  readonly sent: string;
  readonly expects: Expectation;
  /** The finding if the receiver does the opposite. */
  readonly finding: FindingCode;
  /** Checks that must pass first; a warning counts as a pass. Otherwise this one proves nothing. */
  readonly after?: readonly string[];
  run(stage: Stage): Promise<readonly Answer[]>;
}

export interface Stage extends Sender {
  /** Returns a new event of a type that the receiver accepts. */
  sample(): Sample;
}

/** Builds the `run` of a check with one delivery. */
export function sending(make: (stage: Stage) => Promise<Delivery>): Check['run'] {
  return async (stage) => [await stage.send(await make(stage))];
}
