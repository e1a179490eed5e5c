import type { Answer, Expectation } from './check-result.js';
import type { FindingCode } from './findings/findings.js';
import type { Sample } from './samples.js';

/** One signed request. */
export interface ProbeRequest {
  readonly body: string;
  /** The value of `X-Partner-Signature`; null to omit the header. */
  readonly signature: string | null;
  /** `X-Partner-Timestamp`. */
  readonly timestamp: string;
}

export interface Signing {
  /** The secrets to sign with. The default is all valid secrets. */
  readonly secrets?: readonly string[];
  /** How many seconds ago the delivery was signed; default 0. A negative age lies in the future. */
  readonly ageSeconds?: number;
}

export interface ProbeTransport {
  readonly secrets: readonly string[];
  readonly oldSecrets: readonly string[];
  /** Signs a body as the service does. */
  sign(body: string, signing?: Signing): Promise<ProbeRequest>;
  /** Sends a delivery. Returns network errors as a result, and never rejects. */
  send(delivery: ProbeRequest): Promise<Answer>;
  /** Sends a delivery, with pauses between the pieces of its body. */
  sendSlowly(delivery: ProbeRequest): Promise<Answer>;
}

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
  run(stage: ProbeStage): Promise<readonly Answer[]>;
}

export interface ProbeStage extends ProbeTransport {
  /** Returns a new made-up event of a type that the receiver accepts. */
  sample(): Sample;
}

/** Builds the `run` function of a check that sends one delivery. */
export function sending(make: (stage: ProbeStage) => Promise<ProbeRequest>): Check['run'] {
  return async (stage) => [await stage.send(await make(stage))];
}
