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
