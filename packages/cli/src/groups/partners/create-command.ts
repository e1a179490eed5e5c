import type { CompanyId, CreatedPartner, Environment, NewPartner } from '@partner-hiring/core';
import type { AnyOperator, OperatorCommand } from '../../command/command.js';
import { UsageError } from '../../command/command-error.js';
import { formOf } from '../../command/command-form.js';
import type { CommandInput } from '../../command/command-input.js';
import { sentence } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';

const form = formOf('partners.create');

/** The command `partners create`. */
export const createCommand: OperatorCommand = {
  library: 'partners.create',
  arguments: form.arguments,
  options: {
    ...form.options,
    keys: {
      value: 'NAMES',
      summary: 'Its keys: production, sandbox or both, separated by a comma; default: none',
    },
    companies: {
      value: 'NAMES',
      summary: 'Companies of the production key: names or ids, separated by commas',
    },
    endpoint: { value: 'URL', summary: "The URL of the production key's webhook endpoint" },
    'sandbox-endpoint': { value: 'URL', summary: "The URL of the sandbox key's webhook endpoint" },
  },
  usesSealingKey: true,
  run: async (operator, input) => {
    const environments = namesIn(input, 'keys');
    assertHasKeys(input, environments);
    const endpoints = { production: input.option('endpoint'), sandbox: input.option('sandbox-endpoint') };
    const companyIds = await readCompanies(operator, input);
    const keys = environments.map((name) => {
      // The library checks the names.
      const environment = name as Environment;
      const endpointUrl = endpoints[environment];
      return { environment, endpointUrl, companyIds: environment === 'production' ? companyIds : undefined };
    });
    const created = await operator.partners.create({ ...form.read<NewPartner>(input), keys });
    return sentence(describe(created), created);
  },
};

function namesIn(input: CommandInput, option: string): readonly string[] {
  return (input.option(option) ?? '').split(',').flatMap((name) => name.trim() || []);
}

/** @throws UsageError if an option belongs to a key that `--keys` does not name. */
function assertHasKeys(input: CommandInput, environments: readonly string[]): void {
  const owners = { companies: 'production', endpoint: 'production', 'sandbox-endpoint': 'sandbox' };
  for (const [option, environment] of Object.entries(owners)) {
    if (input.option(option) !== undefined && !environments.includes(environment))
      throw new UsageError(`--${option} belongs to the ${environment} key: add --keys ${environment}.`);
  }
}

async function readCompanies(operator: AnyOperator, input: CommandInput): Promise<readonly CompanyId[]> {
  const names = namesIn(input, 'companies');
  if (names.length === 0) return [];
  const { items: companies } = await operator.companies.list({ names, environment: 'production' });
  return companies.map(({ id }) => id);
}

function describe({ id, name, keys }: CreatedPartner): string {
  if (keys.length === 0) return `Created ${id}. Issue it a key: keys issue ${id} sandbox`;
  return [
    `${terminalText(name)} is ${id}. Save these secrets now. They are not shown again:`,
    ...keys.flatMap(describeKey),
    'Give the partner its secrets in a safe way, the address of your API, and the pages for partners.',
  ].join('\n');
}

function describeKey({ key, secret, endpoint, access }: CreatedPartner['keys'][number]): readonly string[] {
  const isProduction = key.environment === 'production';
  return [
    `${isProduction ? 'Production' : 'Sandbox'} key ${key.id}`,
    `  API key         ${secret}`,
    ...(endpoint === null ? [] : [`  webhook secret  ${endpoint.signingSecret}`]),
    ...(isProduction ? [`  companies       ${access.length}`] : []),
  ];
}
