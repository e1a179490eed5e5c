import type { Answer } from '../answer.js';
import type { Expectation } from '../check-result.js';
import type { FindingCode } from '../findings.js';
import type { Sample } from '../samples.js';
import type { Delivery, Sender } from '../sender.js';

/** Something that a right receiver takes, or refuses. */
export interface Check {
  /** Stable, e.g. `tampered_body`. */
  readonly name: string;
  /** What is sent, in a few words. */
  readonly sent: string;
  readonly expects: Expectation;
  /** What it shows if the receiver does the other. */
  readonly finding: FindingCode;
  /** Checks that must have passed, perhaps with a warning, or this one tells nothing new. */
  readonly after?: readonly string[];
  /** Sends, and brings the answers to judge by. */
  run(stage: Stage): Promise<readonly Answer[]>;
}

/** What a check works with. */
export interface Stage extends Sender {
  /** A new event of a type that the receiver is known to take. */
  sample(): Sample;
}

/** The run of a check that sends one delivery. */
export function sending(make: (stage: Stage) => Promise<Delivery>): Check['run'] {
  return async (stage) => [await stage.send(await make(stage))];
}
