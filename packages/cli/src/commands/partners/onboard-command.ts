import type { CompanyId, InputOf, IssuedKey, OnboardedPartner } from '@partner-hiring/core';
import type { AnyOperator, OperatorCommand } from '../../command/command.js';
import { formOf } from '../../command/command-form.js';
import type { CommandInput } from '../../command/command-input.js';
import { sentence } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';

const form = formOf('partners.onboard');

/** The command `partners onboard`. */
export const onboardCommand: OperatorCommand = {
  library: 'partners.onboard',
  arguments: form.arguments,
  options: {
    ...form.options,
    companies: {
      value: 'NAMES',
      summary: 'Companies of the production key: names or ids, separated by commas',
    },
  },
  usesSealingKey: true,
  run: async (operator, input) => {
    const given = form.read<InputOf<'partners.onboard'>>(input);
    const companyIds = await readCompanies(operator, input);
    const onboarded = await operator.partners.onboard({ ...given, companyIds });
    return sentence(describe(onboarded), onboarded);
  },
};

async function readCompanies(operator: AnyOperator, input: CommandInput): Promise<readonly CompanyId[]> {
  const names = (input.option('companies') ?? '').split(',').flatMap((name) => name.trim() || []);
  if (names.length === 0) return [];
  const { items: companies } = await operator.companies.list({ names, environment: 'production' });
  return companies.map(({ id }) => id);
}

function describe({ partner, production, sandbox, access }: OnboardedPartner): string {
  return [
    `${terminalText(partner.name)} is ${partner.id}. Save these secrets now. They are not shown again:`,
    ...secretsOf('Production', production),
    ...secretsOf('Sandbox', sandbox),
    `Companies that the production key sees: ${access.length}.`,
    'Give the partner its secrets in a safe way, the address of your API, and the pages for partners.',
  ].join('\n');
}

function secretsOf(name: string, issued: IssuedKey | null): readonly string[] {
  if (issued === null) return [];
  const { key, secret, endpoint } = issued;
  const signing = endpoint === null ? [] : [`  webhook secret  ${endpoint.signingSecret}`];
  return [`${name} key ${key.id}`, `  API key         ${secret}`, ...signing];
}
