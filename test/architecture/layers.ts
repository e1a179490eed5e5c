/** The allowed imports of the parts of core. */

/** The imports that a part of core may have: paths inside core, or modules. A trailing `/` or `:` opens what lies behind. */
export interface Rule {
  readonly may: readonly string[];
  /** Only as types. */
  readonly mayAsTypes?: readonly string[];
}

/** The static list of features: what each declares, and the interfaces that name the parts of all of them. */
const FEATURE_LIST = [
  'features/application-details.ts',
  'features/commands.ts',
  'features/feature.ts',
  'features/features.ts',
  'features/operator-commands.ts',
  'features/operator-views.ts',
  'features/repositories.ts',
  'features/settings.ts',
];

/** Imports run downwards only. The longest matching path is the rule of a file. */
export const TABLE: Readonly<Record<string, Rule>> = {
  'domain/': { may: ['domain/', 'fast-json-stable-stringify'] },
  'domain/partner-key.ts': { may: ['domain/', 'node:crypto', 'node:zlib'] },
  'domain/countries.ts': { may: ['domain/', 'i18n-iso-countries/'] },
  'domain/idempotency.ts': { may: ['domain/', 'node:crypto', 'fast-json-stable-stringify'] },
  'domain/signature.ts': { may: ['domain/', 'node:crypto'] },
  'domain/email-address.ts': { may: ['domain/', 'node:url'] },
  'domain/page.ts': { may: ['domain/', 'node:crypto'] },
  'features/': {
    may: ['features/', 'groups/', 'operator/', 'domain/optional.ts'],
    mayAsTypes: ['domain/', 'fill-in-ports.ts', 'http/', 'options.ts', 'partner/', 'ports/', 'worker/'],
  },
  'groups/': { may: ['groups/'], mayAsTypes: ['operator/'] },
  'ports/': { may: [], mayAsTypes: ['domain/', 'ports/', 'features/repositories.ts'] },
  /** It exports the rules of the domain that a storage applies. */
  'ports/index.ts': { may: ['domain/', 'features/'], mayAsTypes: ['ports/'] },
  'partner/': { may: ['partner/', 'domain/', 'ports/', 'errors.ts', 'batcher.ts', 'storage-clock.ts'] },
  'operator/': {
    may: ['operator/', 'domain/', 'ports/', 'errors.ts', 'batcher.ts', 'real-timers.ts', 'storage-clock.ts'],
    mayAsTypes: FEATURE_LIST,
  },
  /** What certify contains too, so it needs nothing else of core. */
  'probes/': { may: ['probes/', 'node:crypto', 'fast-json-stable-stringify'] },
  /** The inputs of commands. */
  'operator/command/': {
    may: ['operator/', 'domain/', 'ports/', 'errors.ts', 'zod'],
    mayAsTypes: FEATURE_LIST,
  },
  'worker/': {
    may: [
      'worker/',
      'domain/',
      'ports/',
      'errors.ts',
      'batcher.ts',
      'real-timers.ts',
      'storage-clock.ts',
      'p-retry',
    ],
    mayAsTypes: FEATURE_LIST,
  },
  'http/': { may: ['http/', 'partner/', 'domain/', 'ports/', 'errors.ts', 'real-timers.ts', 'zod'] },
  /** It shows what `http` does to packages that describe the API, and nothing of core knows it. */
  'contract/': {
    may: [
      'zod',
      'contract/',
      'features/',
      'http/',
      'domain/',
      'errors.ts',
      'defaults/option-checks.ts',
      'defaults/support.ts',
    ],
  },
  /** `errors.ts` for the host's own mistakes: a key that is too short, a folder that is not there. */
  'defaults/': {
    may: [
      'errors.ts',
      'real-timers.ts',
      'defaults/',
      'ports/',
      'domain/',
      'node:',
      'undici',
      'ipaddr.js',
      'libphonenumber-js/',
      'p-retry',
      '@opentelemetry/api',
    ],
  },
  /** It watches from outside what the others do, and they know nothing of it. */
  'observe/': {
    may: ['observe/', 'domain/', 'ports/'],
    mayAsTypes: ['groups/', 'http/', 'partner/', 'operator/', 'worker/', 'storage-clock.ts'],
  },
  'errors.ts': { may: [], mayAsTypes: ['domain/'] },
  'batcher.ts': { may: ['errors.ts', 'real-timers.ts'] },
  'real-timers.ts': { may: ['node:timers'] },
  'storage-clock.ts': { may: ['domain/'], mayAsTypes: ['ports/'] },
  'check-options.ts': {
    may: ['defaults/', 'domain/', 'errors.ts'],
    mayAsTypes: ['features/', 'options.ts', 'ports/', 'worker/options.ts'],
  },
  'options.ts': {
    may: [],
    mayAsTypes: ['defaults/', 'domain/', 'features/', 'ports/', 'worker/'],
  },
  'fill-in-ports.ts': {
    may: [
      'defaults/',
      'features/alerts/defaults/',
      'features/resumes/defaults/',
      'observe/',
      'worker/deployment-watch.ts',
      'worker/guard-secret-box.ts',
      'worker/guard-transport.ts',
      'errors.ts',
      'storage-clock.ts',
    ],
    mayAsTypes: ['options.ts', 'ports/'],
  },
  'create-host-worker.ts': {
    may: [
      'features/commands.ts',
      'domain/',
      'operator/',
      'worker/',
      'http/wire.ts',
      'observe/',
      'errors.ts',
      'node:async_hooks',
    ],
    mayAsTypes: ['features/', 'fill-in-ports.ts', 'options.ts'],
  },
  'create-partner-hiring.ts': {
    may: [
      'check-options.ts',
      'create-host-worker.ts',
      'fill-in-ports.ts',
      'domain/',
      'partner/',
      'operator/',
      'features/commands.ts',
      'features/features.ts',
      'worker/',
      'http/',
      'observe/',
    ],
    mayAsTypes: ['features/', 'options.ts'],
  },
  /** The host's process around all of these. */
  'process/': {
    may: [
      'process/',
      'domain/',
      'errors.ts',
      'defaults/redacting-logger.ts',
      'node:net',
      'node:timers/promises',
    ],
    mayAsTypes: ['create-partner-hiring.ts', 'ports/', 'worker/', 'node:http'],
  },
  'index.ts': {
    may: [
      'features/',
      'groups/',
      'create-partner-hiring.ts',
      'options.ts',
      'process/',
      'domain/',
      'operator/',
      'worker/',
      'http/',
      'defaults/',
      'errors.ts',
    ],
    mayAsTypes: ['ports/', 'partner/'],
  },
};

/** A layer inside a room of core: a folder in `features` or `groups`. */
export interface Layer {
  /** The files of the layer, from their room. */
  readonly files: RegExp;
  /** The layers of its room, and of the rooms that it needs, whose files it may import. */
  readonly inRooms: readonly string[];
  readonly may: readonly string[];
  readonly mayAsTypes?: readonly string[];
}

const EVERYWHERE = ['domain/', 'ports/', 'errors.ts', 'batcher.ts', 'real-timers.ts', 'storage-clock.ts'];

/** The layers of rooms, by the names of their files. The first that fits is the layer of a file. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  /** Pure and synchronous decisions. */
  rules: { files: /(?:^|-)rules\.ts$/, inRooms: ['rules'], may: ['domain/', 'fast-json-stable-stringify'] },
  /** Interfaces without code. */
  repository: {
    files: /(?:^|-)(?:repository|service)\.ts$/,
    inRooms: ['rules', 'repository'],
    may: [],
    mayAsTypes: ['domain/', 'ports/'],
  },
  /** Work of the worker. */
  task: {
    files: /(?:^|-)task\.ts$/,
    inRooms: ['rules', 'repository', 'task', 'options', 'code'],
    may: ['worker/', 'p-retry', ...EVERYWHERE],
  },
  /** The wire: routes, parsing, replies. */
  routes: {
    files: /^(?:routes|wire|wire-schemas|input|refusals|samples)\.ts$/,
    inRooms: ['rules', 'repository', 'routes'],
    may: ['http/', 'partner/', 'zod', ...EVERYWHERE],
  },
  /** Metrics and logs around the others, which know nothing of it. */
  metrics: {
    files: /(?:^|-)metrics\.ts$/,
    inRooms: ['rules'],
    may: ['observe/', 'domain/', 'ports/'],
    mayAsTypes: ['storage-clock.ts', 'worker/', 'http/', 'features/'],
  },
  /** Ports that Node and libraries implement. */
  defaults: {
    files: /^defaults\//,
    inRooms: ['rules', 'repository', 'defaults'],
    may: [
      'defaults/',
      'errors.ts',
      'real-timers.ts',
      'ports/',
      'domain/',
      'node:',
      'undici',
      'ipaddr.js',
      'p-retry',
    ],
  },
  /** Checks of the host's options. */
  options: {
    files: /(?:^|-)options\.ts$/,
    inRooms: ['rules', 'options', 'code'],
    may: ['defaults/option-checks.ts', ...EVERYWHERE],
    mayAsTypes: ['options.ts'],
  },
  /** Its parts, for the list of features. */
  feature: {
    files: /^feature\.ts$/,
    inRooms: ['rules', 'repository', 'task', 'routes', 'metrics', 'options', 'code'],
    may: ['features/feature.ts', 'operator/', 'worker/', 'http/', 'partner/', ...EVERYWHERE],
  },
  /** The host's commands, and their parts. */
  code: {
    files: /\.ts$/,
    inRooms: ['rules', 'repository', 'options', 'code'],
    may: ['operator/', 'groups/', 'probes/', 'node:crypto', ...EVERYWHERE],
    mayAsTypes: ['http/observer.ts', 'partner/partner-api.ts', ...FEATURE_LIST],
  },
};
