import type { TransportFailure } from '../domain/delivery.js';
import type { ApplicationId } from '../domain/ids.js';

/** A résumé that was fetched. */
export interface ResumeFile {
  readonly applicationId: ApplicationId;
  readonly bytes: Uint8Array;
  /** As sniffed from the content, e.g. `application/pdf`; never what the server claimed. */
  readonly mediaType: string;
  /** A safe file name: no path, no control characters, the extension of its content. */
  readonly fileName: string;
}

/** Where résumés go: the host's document store, or a folder. */
export interface ResumeSink {
  /**
   * Stores one résumé and answers where it lies. Called once per success; after a crash, or while the storage is away,
   * it may be called again for the same application and must then replace what it stored.
   */
  store(file: ResumeFile): Promise<{ readonly location: string }>;
}

/** What came of fetching a résumé. */
export type ResumeDownload =
  | {
      readonly kind: 'fetched';
      readonly bytes: Uint8Array;
      readonly mediaType: string;
      readonly fileName: string;
    }
  /** `retryable`: whether another try may end better. */
  | { readonly kind: 'failed'; readonly reason: ResumeFailure; readonly retryable: boolean };

/** Why a résumé could not be had. */
export type ResumeFailure = TransportFailure | 'bad_status' | 'too_large' | 'unsupported_content' | 'empty';

/** Downloads résumés. */
export interface ResumeSource {
  /**
   * Fetches one. One deadline over the whole exchange, a byte limit after decoding.
   *
   * @throws NetworkUnavailable where this machine lacks what it takes to ask anybody, and only then: the round is not
   *   counted.
   */
  fetch(url: string): Promise<ResumeDownload>;
  /** Downloads under way end first, or are broken off as soon as the signal aborts. */
  close(giveUp?: AbortSignal): Promise<void>;
}

/** What a scanner says about a résumé. */
export type ResumeScanResult =
  | { readonly kind: 'clean' }
  /**
   * The résumé is not stored and not tried again.
   *
   * `reason`: why, in words for the operator, such as the name of what was found. It is kept on the application, up to
   * 200 characters, and is never logged. It must not be blank.
   */
  | { readonly kind: 'refused'; readonly reason: string };

/** Scans résumés before they are stored, for example with an antivirus daemon. */
export interface ResumeScanner {
  /**
   * Scans one file. The worker stores the file only if the answer is `clean`, and scans it again whenever it fetches it
   * again. The scanner gets a copy of the bytes and may change it or hand it to a thread.
   *
   * If the scanner rejects, answers something else, or takes longer than a minute, nothing is stored, and the worker
   * repeats the round (fetch, scan, store) later, as after a failed download. After the last round the résumé has failed
   * with the reason `not_scanned`.
   *
   * @param signal - aborts when the minute is over. Close connections then.
   * @example
   * ```ts
   * const resumeScanner: ResumeScanner = {
   *   async scan({ bytes }, { signal }) {
   *     const reply = await fetch('http://127.0.0.1:8080/scan', { method: 'POST', body: bytes, signal });
   *     if (!reply.ok) throw new Error(`The scanner answered ${reply.status}.`);
   *     const { infected, name } = (await reply.json()) as { infected: boolean; name: string };
   *     return infected ? { kind: 'refused', reason: name } : { kind: 'clean' };
   *   },
   * };
   * ```
   */
  scan(file: ResumeFile, options: { readonly signal: AbortSignal }): Promise<ResumeScanResult>;
}
