import { fileURLToPath } from 'node:url';
import { createOpenApiDocument } from '@partner-hiring/core/openapi';

/** The committed description of the API. */
export const DOCUMENT_FILE = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));

/** What the file must hold, to the byte. */
export function documentText(): string {
  return `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`;
}
