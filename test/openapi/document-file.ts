import { fileURLToPath } from 'node:url';
import { createOpenApiDocument } from '@partner-hiring/partner-docs';

/** The committed OpenAPI document. */
export const DOCUMENT_FILE = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));

/** The expected content of the document's file. */
export function documentText(): string {
  return `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`;
}
