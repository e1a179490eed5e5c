/** Spec: `POST /applications`, `candidate`. */
export interface Candidate {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** E.164. */
  readonly phone: string;
}
