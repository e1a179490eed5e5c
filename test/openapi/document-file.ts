import { fileURLToPath } from 'node:url';
import { createOpenApiDocument, createPostmanCollection } from '@partner-hiring/partner-docs';

/** The committed OpenAPI document. */
export const DOCUMENT_FILE = inDocs('openapi.json');

/** The committed Postman collection. */
export const COLLECTION_FILE = inDocs('postman_collection.json');

/** The expected content of the document's file. */
export function documentText(): string {
  return `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`;
}

/** The expected content of the collection's file. */
export function collectionText(): string {
  return `${JSON.stringify(createPostmanCollection(), null, 2)}\n`;
}

function inDocs(name: string): string {
  return fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
}
