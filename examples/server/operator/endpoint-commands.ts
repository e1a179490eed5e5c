import type { EndpointOutcome, EndpointTarget, EndpointView, OperatorCommands } from '@partner-hiring/core';
import type { Command, CommandGroup } from './command.js';
import { OVERLAP_OPTION, overlapOf } from './overlap.js';
import { moment, sentence, tableReport } from './report.js';

const list: Command = {
  summary: 'Lists where webhooks go, and how that is going',
  run: async (operator) =>
    tableReport(
      await operator.endpoints.list(),
      {
        KEY: ({ keyId }) => keyId,
        URL: ({ url }) => url,
        STATE: describeState,
        'FAILURES IN A ROW': ({ health }) => health.consecutiveFailures,
        'LAST SUCCESS': ({ health }) => moment(health.lastSuccessAt),
      },
      'There are no endpoints. Set one: endpoints set <key> <url>',
    ),
};

const set: Command = {
  summary: 'Gives a key an endpoint, or its endpoint another URL',
  arguments: ['key', 'url'],
  run: async (operator, input) => {
    const outcome = await operator.endpoints.setUrl({ keyId: input.id('key'), url: input.argument('url') });
    const { endpoint, signingSecret } = outcome;
    const secret = signingSecret === null ? '' : `\nIts signing secret, shown this once:\n  ${signingSecret}`;
    return sentence(`Webhooks go to ${endpoint.url}.${secret}`, outcome);
  },
};

const rotateSecret: Command = {
  summary: 'Makes a new signing secret; both sign for a while',
  arguments: ['key'],
  options: OVERLAP_OPTION,
  run: async (operator, input) => {
    const rotated = await operator.endpoints.rotateSecret({ keyId: input.id('key'), ...overlapOf(input) });
    const text = `The new signing secret, shown this once:\n  ${rotated.signingSecret}
The receiver beside the server reads it from a line of <database>.receiver`;
    return sentence(text, rotated);
  },
};

/** Where webhooks go. */
export const endpointGroup: CommandGroup = {
  summary: 'Where webhooks go',
  standard: 'list',
  commands: {
    list,
    set,
    'rotate-secret': rotateSecret,
    pause: change('Stops sending; events are still recorded', 'paused', (endpoints) => endpoints.pause),
    resume: change('Sends again, the backlog first', 'active', (endpoints) => endpoints.resume),
  },
};

type Endpoints = OperatorCommands['endpoints'];

function change(
  summary: string,
  after: string,
  pick: (endpoints: Endpoints) => (target: EndpointTarget) => Promise<EndpointOutcome>,
): Command {
  return {
    summary,
    arguments: ['key'],
    run: async (operator, input) => {
      const outcome = await pick(operator.endpoints)({ keyId: input.id('key') });
      const { endpoint, changed } = outcome;
      return sentence(`${endpoint.url} ${changed ? 'is now' : 'already was'} ${after}.`, outcome);
    },
  };
}

function describeState({ state }: EndpointView): string {
  return state.kind === 'active' ? 'active' : `paused: ${state.reason}`;
}
