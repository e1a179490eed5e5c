import type { TransportFailure } from '../domain/delivery.js';
import type { ApplicationId } from '../domain/ids.js';

/** A downloaded résumé. */
export interface ResumeFile {
  readonly applicationId: ApplicationId;
  readonly bytes: Uint8Array;
  /** Detected from the content, for example `application/pdf`. */
  readonly mediaType: string;
  /** Safe: no path, no control characters, the extension of the content. */
  readonly fileName: string;
}

/** Stores résumés, for example in a document store or a folder. */
export interface ResumeSink {
  /** Returns the location. A second call for the same application must replace the file. */
  store(file: ResumeFile): Promise<{ readonly location: string }>;
}

/** The result of a download. */
export type ResumeDownload =
  | {
      readonly kind: 'fetched';
      readonly bytes: Uint8Array;
      readonly mediaType: string;
      readonly fileName: string;
    }
  | { readonly kind: 'failed'; readonly reason: ResumeFailure; readonly retryable: boolean };

/** Why a download failed. */
export type ResumeFailure = TransportFailure | 'bad_status' | 'too_large' | 'unsupported_content' | 'empty';

/** Downloads résumés. */
export interface ResumeSource {
  /**
   * Has a deadline and a size limit.
   * @throws NetworkUnavailable only if this machine reaches no server. The attempt is then not counted.
   */
  fetch(url: string): Promise<ResumeDownload>;
  close(giveUp?: AbortSignal): Promise<void>;
}

/** The result of a scan. */
export type ResumeScanResult =
  | { readonly kind: 'clean' }
  /** `reason` must not be blank. The application keeps 200 characters of it; it is never logged. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Scans résumés before they are stored. */
export interface ResumeScanner {
  /**
   * Scans one file, again after each download. The bytes are a copy. If the scanner rejects or takes longer
   * than a minute, the worker retries later. After the last attempt the résumé fails with `not_scanned`.
   * @param signal - aborts after a minute. Close connections then.
   * @example
   * const resumeScanner: ResumeScanner = {
   *   async scan({ bytes }, { signal }) {
   *     const reply = await fetch('http://127.0.0.1:8080/scan', { method: 'POST', body: bytes, signal });
   *     if (!reply.ok) throw new Error(`The scanner answered ${reply.status}.`);
   *     const { infected, name } = (await reply.json()) as { infected: boolean; name: string };
   *     return infected ? { kind: 'refused', reason: name } : { kind: 'clean' };
   *   },
   * };
   */
  scan(file: ResumeFile, options: { readonly signal: AbortSignal }): Promise<ResumeScanResult>;
}
