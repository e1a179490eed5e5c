import type { CandidateTarget } from '@partner-hiring/core';
import type { CommandInput } from '../../command/command-input.js';
import { UsageError } from '../../command/usage-error.js';

/** The options that name a person. */
export const TARGET = {
  application: { value: 'APPLICATION', summary: 'One application' },
  email: { value: 'ADDRESS', summary: 'All applications with this e-mail address, in any spelling' },
  phone: { value: 'NUMBER', summary: 'All applications with this number, such as +14155550123' },
  country: { value: 'COUNTRY', summary: 'The country of a number without a country code' },
} as const;

/** The option that also clears the partner's own id. */
export const CLEAR = {
  'clear-source-id': { summary: "Also clear the partner's own id; the partner sees the change" },
} as const;

/** Reads which person is meant. */
export function targetOf(input: CommandInput): CandidateTarget {
  const applicationId = input.optionId('application');
  const [email, phone, country] = [input.option('email'), input.option('phone'), input.option('country')];
  const given = [applicationId, email, phone].filter((value) => value !== undefined);
  if (given.length !== 1)
    throw new UsageError('Name the person with one of --application, --email and --phone.');
  if (applicationId !== undefined) return { applicationId };
  if (email !== undefined) return { email };
  return { phone: phone ?? '', country };
}
