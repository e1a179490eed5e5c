/** The command lines of every command, on a stage with one application. */
import { runCommandLine } from '@partner-hiring/cli';
import type { Ask } from '../../../packages/cli/src/ask-on-terminal.js';
import { argumentName } from '../../../packages/cli/src/command/command-option.js';
import { summaryOf } from '../../../packages/cli/src/command/command-words.js';
import { OPERATOR_TABLE } from '../../../packages/cli/src/commands/all-commands.js';
import { type CommandPath, commandPaths } from '../../cli/command-paths.js';
import { type PersonalStage, phoneOf } from './stage.js';

/** A stage with an application and its event. */
export type ShownStage = Pick<PersonalStage, 'partner' | 'companyId' | 'jobId' | 'operator'> & {
  readonly id: string;
  readonly eventId: string;
};

/** Runs a command line on the operator of a stage. */
export async function runLine(
  { operator }: Pick<PersonalStage, 'operator'>,
  words: readonly string[],
  ask: Ask = async () => null,
) {
  const printed: string[] = [];
  const code = await runCommandLine({
    argv: words,
    ask,
    open: async () => ({ operator, close: async () => {} }),
    output: { out: (text) => void printed.push(text), error: (text) => void printed.push(text) },
  });
  return { code, text: printed.join('\n') };
}

/** Options that a command needs, beside its arguments. */
const optionsOf = (person: string): Readonly<Record<string, readonly string[]>> => ({
  candidates: ['--email', `mail${person}@example.org`],
  'candidates export': ['--email', `mail${person}@example.org`],
  'candidates erase-many': ['--changed-before', '2000-01-01T00:00Z'],
  export: ['--phone', phoneOf(person)],
  'deliveries list': ['--failing'],
  'jobs sync': ['--file', '/dev/null'],
  'deliveries replay': ['--since', '2000-01-01T00:00Z'],
});

/** Returns the words of every command, those that only read first. An erasure would leave nothing to show. */
export async function linesOf(stage: ShownStage, person: string) {
  const options = optionsOf(person);
  const { id, eventId, partner, companyId, jobId, operator } = stage;
  const { items: requests } = await operator.requests.list({ limit: 1 });
  const found = await operator.keys.find({ id: partner.keyId });
  const values: Readonly<Record<string, string>> = {
    key: partner.keyId,
    application: id,
    id,
    event: eventId,
    company: companyId,
    job: jobId,
    partner: found?.key.partnerId ?? '',
    request: requests[0]?.requestId ?? '',
    item: `${id}.1`,
  };
  const wordsOf = ({ path, command }: CommandPath) => {
    const args = (command.arguments ?? []).map((argument) => {
      const choice = typeof argument === 'string' ? undefined : argument.choices?.[0];
      return choice ?? values[argumentName(argument)] ?? 'something';
    });
    return [...path.split(' '), ...args, ...(options[path] ?? [])];
  };
  const commands = commandPaths(OPERATOR_TABLE).filter(({ path }) => !/\berase$/.test(path));
  const lines = commands.map((each) => ({
    path: each.path,
    words: wordsOf(each),
    isReading: /^(?:Counts|Explains|Finds|Lists|Prints|Shows) /.test(summaryOf(each.command)),
  }));
  return [...lines.filter(({ isReading }) => isReading), ...lines.filter(({ isReading }) => !isReading)];
}
