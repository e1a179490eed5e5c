import type { ResumeFile, ResumeSink, ResumeSource } from '@partner-hiring/core';

/** Résumés without a network and without files. */
export interface MemoryResumes {
  readonly source: ResumeSource;
  readonly sink: ResumeSink;
  /** The stored résumés, in order, without those of erased candidates. */
  readonly files: readonly ResumeFile[];
}

/** The smallest file that readers accept as a PDF. */
const PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n%%EOF\n';

/** Each download returns the same small PDF. */
export function createMemoryResumes(): MemoryResumes {
  const files: ResumeFile[] = [];
  return {
    files,
    source: {
      fetch: async () => ({
        kind: 'fetched',
        bytes: new TextEncoder().encode(PDF),
        mediaType: 'application/pdf',
        fileName: 'resume.pdf',
      }),
      close: async () => {},
    },
    sink: {
      store: async (file) => {
        files.push(file);
        return { location: `memory:${file.applicationId}` };
      },
      remove: async ({ applicationId }) => {
        const index = files.findIndex((file) => file.applicationId === applicationId);
        if (index !== -1) files.splice(index, 1);
      },
    },
  };
}
