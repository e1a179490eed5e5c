/** Why nothing could be certified. Stable. */
export type CertifyErrorCode = 'INVALID_OPTIONS' | 'RECEIVER_UNREACHABLE';

/** Nothing was certified: the call was wrong, or no receiver answers at the URL. The message names the fix. */
export class CertifyError extends Error {
  override readonly name = 'CertifyError';

  constructor(
    readonly code: CertifyErrorCode,
    message: string,
  ) {
    super(message);
  }
}
