import type { IssuedKey, KeyRevocation, KeyView } from '@partner-hiring/core';
import type { Command, CommandGroup } from './command.js';
import { UsageError } from './command.js';
import type { CommandInput } from './command-input.js';
import { partnerMustExist } from './must-exist.js';
import { OVERLAP_OPTION, overlapOf } from './overlap.js';
import { moment, sentence, tableReport } from './report.js';
import { WORLDS } from './worlds.js';

const list: Command = {
  summary: 'Lists keys and how their secrets can be recognised',
  options: { partner: { value: 'ID', summary: 'Only those of this partner' } },
  run: async (operator, input) => {
    const partnerId = input.optionId('partner');
    if (partnerId !== undefined) await partnerMustExist(operator, partnerId);
    const keys = await operator.keys.list(partnerId === undefined ? {} : { partnerId });
    const rows = keys.flatMap(({ key, secrets }) => secrets.map((secret) => ({ key, secret })));
    const table = tableReport(
      rows,
      {
        KEY: ({ key }) => key.id,
        PARTNER: ({ key }) => key.partnerId,
        WORLD: ({ key }) => key.environment,
        SECRET: ({ secret }) => `${secret.prefix}…${secret.lastFour}`,
        STATE: ({ secret }) => secret.state,
        'LAST USED': ({ secret }) => moment(secret.lastUsedAt),
        ENDS: ({ secret }) => moment(secret.revokedAt ?? secret.expiresAt),
      },
      partnerId === undefined
        ? 'There are no keys. Issue one: keys issue <partner> <world>'
        : `${partnerId} has no keys. Issue one: keys issue ${partnerId} <world>`,
    );
    return { ...table, value: keys satisfies readonly KeyView[] };
  },
};

const issue: Command = {
  summary: "Issues a partner's production or sandbox key",
  arguments: ['partner', 'environment'],
  options: { endpoint: { value: 'URL', summary: 'Where its webhooks go' } },
  run: async (operator, input) => {
    const endpointUrl = input.option('endpoint');
    const issued = await operator.keys.issue({
      partnerId: input.id('partner'),
      environment: input.choice('environment', WORLDS),
      ...(endpointUrl === undefined ? {} : { endpointUrl }),
    });
    return sentence(describeIssued(issued), issued);
  },
};

const rotate: Command = {
  summary: 'Makes a new secret; the old one works on for a while',
  arguments: ['key'],
  options: OVERLAP_OPTION,
  run: async (operator, input) => {
    const rotated = await operator.keys.rotate({ keyId: input.id('key'), ...overlapOf(input) });
    return sentence(`The new secret, shown this once:\n  ${rotated.secret}`, rotated);
  },
};

const revoke: Command = {
  summary: 'Ends secrets at once: the next request with one is refused',
  arguments: ['key'],
  options: {
    'last-four': { value: 'XXXX', summary: 'The secret that ends so' },
    all: { summary: 'All secrets of the key' },
  },
  run: async (operator, input) => {
    const outcome = await operator.keys.revoke(revocationOf(input));
    const secrets = outcome.revoked.map(({ prefix, lastFour }) => `${prefix}…${lastFour}`);
    const text = secrets.length === 0 ? 'Nothing to do: revoked before.' : `Revoked ${secrets.join(', ')}.`;
    return sentence(text, outcome);
  },
};

/** The keys that partners call with. */
export const keyGroup: CommandGroup = {
  summary: 'Keys that partners call with',
  standard: 'list',
  commands: { list, issue, rotate, revoke },
};

function describeIssued({ key, secret, endpoint }: IssuedKey): string {
  const webhooks =
    endpoint === null
      ? `No webhooks yet: endpoints set ${key.id} <url>`
      : `Webhooks go to ${endpoint.url}, signed with\n  ${endpoint.signingSecret}`;
  return `Issued ${key.id}. Its secret, shown this once:\n  ${secret}\n${webhooks}
${key.environment === 'sandbox' ? 'It has companies and jobs of its own: sandbox list' : `It sees no job before a company grants it access: access grant ${key.id} <company>`}`;
}

function revocationOf(input: CommandInput): KeyRevocation {
  const keyId = input.id('key');
  const secretLastFour = input.option('last-four');
  if (input.isSet('all') === (secretLastFour !== undefined)) {
    throw new UsageError('Say which secret: --last-four XXXX, or --all.');
  }
  return secretLastFour === undefined ? { keyId, all: true } : { keyId, secretLastFour };
}
