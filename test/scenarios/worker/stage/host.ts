import type { ResumeDownload, ResumeFile } from '@partner-hiring/core';
import type { OperatorAlert } from '../../../../packages/core/src/domain/alert.js';
import type { WorkerParts } from '../../../../packages/core/src/worker/worker.js';

/** A recording host. */
export interface StageHost {
  readonly alerts: OperatorAlert[];
  readonly files: ResumeFile[];
  readonly errors: unknown[];
  /** Sets the result of the next downloads. */
  downloadWith(download: () => ResumeDownload | Promise<ResumeDownload>): void;
}

type HostParts = Pick<WorkerParts, 'secretBox' | 'resumeSource' | 'resumeSink' | 'alerts' | 'logger'>;

export function createStageHost(): { readonly host: StageHost; readonly parts: HostParts } {
  const alerts: OperatorAlert[] = [];
  const files: ResumeFile[] = [];
  const errors: unknown[] = [];
  let download: () => ResumeDownload | Promise<ResumeDownload> = () => PDF;
  return {
    host: {
      alerts,
      files,
      errors,
      downloadWith(next) {
        download = next;
      },
    },
    parts: {
      secretBox: SECRET_BOX,
      resumeSource: { fetch: async () => download(), close: async () => {} },
      resumeSink: {
        async store(file) {
          files.push(file);
          return { location: `memory:${file.fileName}` };
        },
      },
      alerts: {
        async alert(alert) {
          alerts.push(alert);
        },
      },
      logger: { debug() {}, info() {}, warn() {}, error: (fields) => errors.push(fields) },
    },
  };
}

export const PDF: ResumeDownload = {
  kind: 'fetched',
  bytes: new Uint8Array([37, 80, 68, 70]),
  mediaType: 'application/pdf',
  fileName: 'resume.pdf',
};

const SECRET_BOX = {
  seal: (secret: string) => `sealed:${secret}`,
  open(sealed: string) {
    if (!sealed.startsWith('sealed:')) throw new Error('It was sealed with another key.');
    return sealed.slice('sealed:'.length);
  },
};
