export { createOpenApiDocument, type OpenApiOptions } from './document.js';
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
