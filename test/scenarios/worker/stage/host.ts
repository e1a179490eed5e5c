import type { Logger, ResumeDownload, ResumeFile } from '@partner-hiring/core';
import type { FeatureOptions } from '@partner-hiring/test-support/worker-features';
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

type HostParts = Pick<WorkerParts, 'secretBox' | 'logger'>;

export function createStageHost(): {
  readonly host: StageHost;
  readonly parts: HostParts;
  readonly options: FeatureOptions;
} {
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
    options: {
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
    },
    parts: {
      secretBox: SECRET_BOX,
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

/** A logger that notes the résumés that are not tried again. */
export function noting(givenUp: unknown[]): Logger {
  const warn = ({ applicationId, reason }: Readonly<Record<string, unknown>>) =>
    void givenUp.push([applicationId, reason]);
  return { debug() {}, info() {}, warn: (fields) => warn(fields as never), error() {} };
}
