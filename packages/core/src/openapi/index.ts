export { createOpenApiDocument, type OpenApiOptions } from './document.js';
export {
  createPostmanCollection,
  type PostmanCollection,
  type PostmanField,
  type PostmanItem,
} from './postman.js';
export type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiExample,
  OpenApiHeader,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiPath,
  OpenApiReference,
  OpenApiResponse,
  OpenApiResponses,
  OpenApiSchema,
} from './types.js';
