import type { BulkWork, InputOf, ResultOf } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand, Report } from '../../command/command.js';
import { commandFacts, formOf } from '../../command/command-form.js';
import { libraryCommand } from '../../command/library-command.js';
import { askFirst, counted, YES_OPTION } from '../../report/ask-first.js';
import { moment, sentence } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';

/** An act on many objects. */
interface ManyAct {
  readonly act: BulkWork['act'];
  readonly summary: string;
  /** The fields that are arguments. */
  readonly needs?: readonly string[];
  /** The fields that are options. */
  readonly takes: readonly string[];
  /** What the objects are, for a number of them. */
  readonly noun: 'application' | 'key' | 'endpoint';
  /** What the question asks, before the number of objects. */
  readonly verb: string;
}

/** Counts the objects and asks first. */
function manyCommand({ act, summary, needs = [], takes, noun, verb }: ManyAct): OperatorCommand {
  const offered = [...needs, ...takes, 'dryRun'];
  const others = commandFacts('bulk.start').fields.map(({ name }) => name);
  const form = formOf('bulk.start', { without: others.filter((name) => !offered.includes(name)), needs });
  const kind = noun === 'application' ? 'application' : 'key';
  const chosen = { summary: `Only this ${noun}; may be repeated`, value: 'ID', isRepeatable: true };
  return {
    library: 'bulk.start',
    summary: `${summary}; counts them and asks first`,
    arguments: form.arguments,
    options: { ...form.options, [kind]: chosen, ...YES_OPTION },
    run: async (operator, input, dialog) => {
      const given = { ...form.read<object>(input), act, ids: input.optionIds(kind) } as InputOf<'bulk.start'>;
      if (given.dryRun === true) return foundText(await operator.bulk.start(given), noun);
      const found = await operator.bulk.start({ ...given, dryRun: true });
      const report = foundText(found, noun);
      const refused = await askFirst(input, dialog, {
        count: found.count,
        question: `${report.text}\n${verb} ${amountOf(found, noun)}?`,
        refusal: `Nothing was changed. ${report.text}`,
        value: { changed: false, count: found.count },
      });
      if (refused !== null) return refused;
      const started = await operator.bulk.start(
        given.act === 'applications.decide' ? { ...given, asOf: found.asOf } : given,
      );
      const { operation } = started;
      return operation === null
        ? foundText(started, noun)
        : sentence(`The worker changes ${amountOf(started, noun)}: operations show ${operation.id}`, started);
    },
  };
}

type Found = Pick<ResultOf<'bulk.start'>, 'count' | 'isExact' | 'items'>;

function amountOf({ count, isExact }: Found, noun: string): string {
  return `${isExact ? '' : 'at least '}${counted(count, noun)}`;
}

/** Names the first objects. */
function foundText(found: Found, noun: string): Report {
  const names = found.items.map((item) =>
    'candidate' in item
      ? `${item.id} (${item.keyLabel}, ${item.jobTitle})`
      : `${item.keyId} (${item.keyLabel})`,
  );
  const first = names.length === 0 ? '' : `: ${terminalText(names.join(', '))}`;
  const rest = found.count > names.length ? ', and others' : '';
  return sentence(`Found ${amountOf(found, noun)}${first}${rest}.`, found);
}

const OF_ENDPOINTS = ['onlyPaused', 'onlyFailing', 'all'];

/** Commands on many objects, by the group that they are in. */
export const bulkCommands = {
  applications: {
    'decide-many': manyCommand({
      act: 'applications.decide',
      summary: 'Hires or rejects all applications of a filter, or chosen ones',
      needs: ['decision'],
      takes: [
        ...['keyId', 'companyId', 'jobId', 'status'],
        ...['submittedSince', 'unchangedSince', 'onlyFailedResumes'],
      ],
      noun: 'application',
      verb: 'Decide on',
    }),
  },
  access: {
    'grant-many': manyCommand({
      act: 'access.grant',
      summary: 'Grants chosen keys, or all keys, access to a company',
      needs: ['companyId'],
      takes: ['all'],
      noun: 'key',
      verb: 'Grant access to',
    }),
    'revoke-many': manyCommand({
      act: 'access.revoke',
      summary: 'Revokes the access of chosen keys, or of all keys, to a company',
      needs: ['companyId'],
      takes: ['all'],
      noun: 'key',
      verb: 'Revoke the access of',
    }),
  },
  endpoints: {
    'pause-many': manyCommand({
      act: 'endpoints.pause',
      summary: 'Pauses chosen endpoints, or those of a filter',
      takes: OF_ENDPOINTS,
      noun: 'endpoint',
      verb: 'Pause',
    }),
    'resume-many': manyCommand({
      act: 'endpoints.resume',
      summary: 'Resumes chosen endpoints, or those of a filter',
      takes: [...OF_ENDPOINTS, 'retryNow'],
      noun: 'endpoint',
      verb: 'Resume',
    }),
  },
  deliveries: {
    'resend-many': manyCommand({
      act: 'deliveries.resend',
      summary: 'Resends the events of chosen endpoints, or of those of a filter',
      takes: [...OF_ENDPOINTS, 'since', 'until', 'only'],
      noun: 'endpoint',
      verb: 'Resend events of',
    }),
  },
  partners: {
    'rotate-secrets': libraryCommand(
      'bulk.rotateSecrets',
      ({ keys, oldSecretsExpireAt }) =>
        [
          `Save the new secrets now. They are not shown again. The old ones work until ${moment(oldSecretsExpireAt)}.`,
          ...keys.map(({ key, secret, endpoint }) =>
            [`${key.id} (${key.environment})`, secret, endpoint?.signingSecret].filter(Boolean).join('\n  '),
          ),
        ].join('\n'),
      // A secret on a command line is kept by the shell.
      { without: ['ifCurrent'], usesSealingKey: true },
    ),
  },
} as const satisfies Readonly<Record<string, CommandGroup['commands']>>;
