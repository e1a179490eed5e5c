import type { ResumeFile } from './resume-sink.js';

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
