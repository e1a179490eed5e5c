import { checkOptionNames, checkSwitches, type OptionNames } from './defaults/option-checks.js';
import { isPortalUrl, PORTAL_URL_RULE } from './domain/portal.js';
import { ENDPOINT_RIGHTS } from './domain/self-service.js';
import { OperatorError } from './errors.js';
import type { SelfServiceOptions } from './options.js';

const MAKER = 'createPartnerHiring';

const SELF_SERVICE: OptionNames<SelfServiceOptions> = { events: true, ...ENDPOINT_RIGHTS };

export function checkSelfService(selfService: unknown): void {
  if (selfService === undefined) return;
  if (typeof selfService !== 'object' || selfService === null) {
    throw new OperatorError(
      'MISCONFIGURED',
      `\`selfService\` is ${String(selfService)}, but must be an object such as \`{ events: true }\`.`,
    );
  }
  checkOptionNames(MAKER, selfService, SELF_SERVICE, 'selfService');
  const switches = Object.entries(selfService).map(([name, value]) => [`selfService.${name}`, value]);
  checkSwitches(MAKER, Object.fromEntries(switches));
}

export function checkPortalUrl(url: unknown): void {
  if (url !== undefined && !isPortalUrl(url))
    throw new OperatorError('MISCONFIGURED', `\`portalUrl\` ${PORTAL_URL_RULE}.`);
}
