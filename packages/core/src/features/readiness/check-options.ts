import { checkOptionNames, checkSwitches, MAKER, type OptionNames } from '../../defaults/option-checks.js';
import { misconfiguration } from '../../errors.js';
import { type GoLiveOptions, READINESS_ITEM_NAMES } from './rules.js';

const GO_LIVE_NAMES: OptionNames<GoLiveOptions> = { required: true, probeProduction: true };

/** Checks the option `goLive`. @throws OperatorError `MISCONFIGURED` */
export function checkGoLive(goLive: unknown): void {
  if (goLive === undefined) return;
  if (typeof goLive !== 'object' || goLive === null) {
    throw misconfiguration(
      `\`goLive\` is ${String(goLive)}, but must be an object such as \`{ required: ['submitted'] }\`.`,
    );
  }
  checkOptionNames(MAKER, goLive, GO_LIVE_NAMES, 'goLive');
  const {
    required = [],
    probeProduction,
  }: { readonly required?: unknown; readonly probeProduction?: unknown } = goLive;
  checkSwitches(MAKER, { 'goLive.probeProduction': probeProduction });
  const names: readonly string[] = READINESS_ITEM_NAMES;
  const unknown = Array.isArray(required)
    ? required.filter((item) => !names.includes(item)).map(String)
    : [String(required)];
  if (unknown.length === 0) return;
  throw misconfiguration(
    `\`goLive.required\` has ${unknown.join(', ')}, but must be a list of some of ${names.join(', ')}.`,
  );
}
