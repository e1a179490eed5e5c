export { createOpenApiDocument, type OpenApiOptions } from './openapi/document.js';
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
} from './openapi/types.js';
export { createPartnerDocs, type PartnerDocs } from './pages/create-partner-docs.js';
export type { PartnerDocsOptions } from './pages/host-facts.js';
export type { PartnerDocsPage } from './pages/partner-docs-page.js';
export {
  SANDBOX_PAGE_HEADERS,
  type SandboxGuideOptions,
  sandboxMarkdown,
  sandboxPage,
} from './sandbox/sandbox-guide.js';
