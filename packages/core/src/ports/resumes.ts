import type { TransportFailure } from '../domain/delivery.js';
import type { ApplicationId } from '../domain/ids.js';

/** A downloaded résumé. */
export interface ResumeFile {
  readonly applicationId: ApplicationId;
  readonly bytes: Uint8Array;
  /** The type of the file, detected from its content, for example `application/pdf`. */
  readonly mediaType: string;
  /** A safe file name: no path, no control characters, and an extension that fits the content. */
  readonly fileName: string;
}

/** Stores résumés, for example in a document store or a folder. */
export interface ResumeSink {
  /**
   * Stores the file within two minutes, and returns its location: a text that is not empty. A second call for the same
   * application must replace the file. If it rejects, the worker calls it up to three times, then again after the next
   * download.
   */
  store(file: ResumeFile): Promise<{ readonly location: string }>;
  /**
   * Removes the file of an erased candidate, and all copies of it; without this method, removals wait. Must succeed if
   * the file does not exist. The worker repeats a call that rejects or takes longer than two minutes.
   */
  remove?: ((resume: StoredResume) => Promise<void>) | undefined;
}

/** A résumé to remove. */
export interface StoredResume {
  readonly applicationId: ApplicationId;
  /**
   * The location that `store` returned; null if it was not recorded: the file may exist under the name that the sink
   * gives to the application.
   */
  readonly location: string | null;
}

/** The result of a download. */
export type ResumeDownload =
  | ({ readonly kind: 'fetched' } & Omit<ResumeFile, 'applicationId'>)
  | {
      readonly kind: 'failed';
      readonly reason: ResumeFailure;
      /** Whether the worker tries again later. */
      readonly retryable: boolean;
      /** More about the reason, without text of the server; omitted if there is none. The application keeps it. */
      readonly detail?: string | undefined;
    };

/** Why a download failed. */
export type ResumeFailure =
  | TransportFailure
  | 'bad_status'
  | 'too_many_redirects'
  | 'too_large'
  | 'unsupported_content'
  | 'empty';

/** Downloads résumés. */
export interface ResumeSource {
  /**
   * Downloads a résumé, with a deadline and a size limit.
   * @throws NetworkUnavailable only if this machine cannot reach any server. The attempt is then not
   *   counted.
   */
  fetch(url: string): Promise<ResumeDownload>;
  /** Waits for running downloads; when the signal aborts, it aborts them. */
  close(giveUp?: AbortSignal): Promise<void>;
}

/** The result of a scan. */
export type ResumeScanResult =
  | { readonly kind: 'clean' }
  /**
   * `reason` must not be blank. The application keeps its first 200 characters. The reason is never logged.
   */
  | { readonly kind: 'refused'; readonly reason: string };

/** Scans résumés before they are stored. */
export interface ResumeScanner {
  /**
   * Scans one file. It is called again after each download, and gets a copy of the bytes. If the scanner
   * rejects or takes longer than a minute, the worker retries later. After the last attempt, the résumé fails
   * with `not_scanned`.
   * @param signal - aborts after a minute. Close connections when it does.
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
