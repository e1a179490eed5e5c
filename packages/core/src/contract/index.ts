/**
 * The wire contract as data, for packages that describe or test the API: names, limits, schemas and samples. A host does not
 * need it.
 * @packageDocumentation
 */
export { checkOptionNames, checkSwitches, type OptionNames } from '../defaults/option-checks.js';
export { readSupport } from '../defaults/support.js';
export { isError } from '../domain/any-realm.js';
export { API_VERSION, EVENT_TYPES } from '../domain/event.js';
export { withDefaults } from '../domain/optional.js';
export { PAGE_LIMIT } from '../domain/page.js';
export { BOOTSTRAP_FACTOR } from '../domain/rate-limit.js';
export {
  SIGNATURE_HEADER,
  SIGNATURE_TOLERANCE_SECONDS,
  TIMESTAMP_HEADER,
  WEBHOOK_USER_AGENT,
} from '../domain/signature.js';
export { isHttpsOrLoopback } from '../domain/web-link.js';
export { WIRE_ERRORS, type WireErrorCode } from '../domain/wire-errors.js';
export { misconfiguration } from '../errors.js';
export { SANDBOX_DOMAIN } from '../features/sandbox/address-rules.js';
export { SANDBOX_CATALOGUE, type SandboxCatalogue } from '../features/sandbox/catalogue.js';
export { type SandboxJobName, sandboxJobId } from '../features/sandbox/job-rules.js';
export {
  SANDBOX_AWAY_MS,
  SANDBOX_LEAVES_AFTER_MS,
  SANDBOX_STAGE_MS,
} from '../features/sandbox/step-rules.js';
export { offersEndpoint } from '../features/self-service/rules.js';
export { OWN_SAMPLES } from '../features/self-service/samples.js';
export type { WireOwn } from '../features/self-service/wire-schemas.js';
export {
  DEFAULT_BODY_TIMEOUT_MS,
  DEFAULT_MAX_BODY_BYTES,
  DEFAULT_MAX_IN_FLIGHT_PER_KEY,
} from '../http/handler.js';
export { createPrefixReader, isPublicPath, type PrefixReader, readPublicPath } from '../http/public-path.js';
export { DEFAULT_BASE_PATH, readBasePath, readOrigin } from '../http/target.js';
export { describedMessage } from '../http/wire-schemas/errors.js';
export {
  errorSchemaName,
  eventSchemaName,
  ownWireSchemas,
  type WireResource,
  wireSchemaRef,
  wireSchemas,
} from './json-schemas.js';
export { WIRE_SAMPLES, type WireDelivery } from './samples.js';
