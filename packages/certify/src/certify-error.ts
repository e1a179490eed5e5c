/** The reason why the certification did not run. These codes never change. */
export type CertifyErrorCode = 'INVALID_OPTIONS' | 'RECEIVER_UNREACHABLE';

/** The options are invalid, or no receiver responds at the URL. The message says how to fix it. */
export class CertifyError extends Error {
  override readonly name = 'CertifyError';

  constructor(
    readonly code: CertifyErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export function invalidOption(message: string): CertifyError {
  return new CertifyError('INVALID_OPTIONS', message);
}
