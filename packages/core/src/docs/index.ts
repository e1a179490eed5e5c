export { createPartnerDocs, type PartnerDocs } from './create-partner-docs.js';
export type { PartnerDocsOptions } from './host-facts.js';
export type { PartnerDocsPage } from './partner-docs-page.js';
