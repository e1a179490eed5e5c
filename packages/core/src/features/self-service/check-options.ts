import {
  checkOptionNames,
  checkSwitches,
  isObject,
  MAKER,
  type OptionNames,
} from '../../defaults/option-checks.js';
import { misconfiguration } from '../../errors.js';
import type { SelfServiceOptions } from '../../options.js';
import { ENDPOINT_RIGHTS } from './rules.js';

const SELF_SERVICE: OptionNames<SelfServiceOptions> = { events: true, ...ENDPOINT_RIGHTS };

/** Checks the option `selfService`. @throws OperatorError `MISCONFIGURED` */
export function checkSelfService(selfService: unknown): void {
  if (selfService === undefined) return;
  if (!isObject(selfService)) {
    throw misconfiguration(
      `\`selfService\` is ${String(selfService)}, but must be an object such as \`{ events: true }\`.`,
    );
  }
  checkOptionNames(MAKER, selfService, SELF_SERVICE, 'selfService');
  const switches = Object.entries(selfService).map(([name, value]) => [`selfService.${name}`, value]);
  checkSwitches(MAKER, Object.fromEntries(switches));
}
