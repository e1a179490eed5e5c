/** The command line masks personal data, unless somebody reveals it with a reason. */
import { runCommandLine } from '@partner-hiring/cli';
import { expect, it, onTestFinished } from 'vitest';
import { argumentName } from '../../../packages/cli/src/command/command-option.js';
import { OPERATOR_COMMANDS } from '../../../packages/cli/src/commands/all-commands.js';
import {
  type CompletedCommand,
  completedCommands,
} from '../../../packages/cli/src/completion/completion-words.js';
import { markersOf, openPersonalStage, type PersonalStage } from './stage.js';

const PERSON = 'Zq0815xw';
const REVEAL = ['--reveal', '--as', 'ada', '--reason', 'ticket 815'];

/** A hired candidate whom the receiver's answer quotes. */
async function openStage() {
  const stage = await openPersonalStage();
  onTestFinished(() => stage.close());
  stage.fixture.transport.answerWith({ kind: 'answered', status: 500, excerpt: `cannot store ${PERSON}` });
  const id = await stage.submit(PERSON);
  await stage.drain();
  await stage.operator.applications.beginEvaluation({ id });
  await stage.operator.applications.decide({ id, decision: 'accepted' });
  await stage.drain();
  const [details] = await stage.operator.applications.events({ id });
  return { ...stage, id, eventId: details?.event.id ?? '' };
}

async function run({ operator }: Pick<PersonalStage, 'operator'>, words: readonly string[]) {
  const printed: string[] = [];
  const code = await runCommandLine({
    argv: words,
    open: async () => ({ operator, close: async () => {} }),
    output: { out: (text) => void printed.push(text), error: (text) => void printed.push(text) },
  });
  return { code, text: printed.join('\n') };
}

function isMarked(text: string): boolean {
  return markersOf(PERSON).some((marker) => text.includes(marker));
}

/** Options that a command needs, beside its arguments. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  candidates: ['--email', `mail${PERSON}@example.org`],
  'candidates find': ['--email', `mail${PERSON}@example.org`],
  'candidates export': ['--email', `mail${PERSON}@example.org`],
  'candidates erase-many': ['--changed-before', '2000-01-01T00:00Z'],
  export: ['--phone', '+14155550815'],
  'deliveries list': ['--failing'],
  'deliveries replay': ['--since', '2000-01-01T00:00Z'],
};

/** Returns the words of every command, those that only read first. An erasure would leave nothing to show. */
async function linesOf(stage: Awaited<ReturnType<typeof openStage>>) {
  const { id, eventId, partner, companyId, jobId, operator } = stage;
  const { requests } = await operator.requests.list({ limit: 1 });
  const found = await operator.keys.find({ keyId: partner.keyId });
  const values: Readonly<Record<string, string>> = {
    ...{ key: partner.keyId, application: id, id, event: eventId, company: companyId, job: jobId },
    ...{ partner: found?.key.partnerId ?? '', request: requests[0]?.requestId ?? '', item: `${id}.1` },
  };
  const wordsOf = ({ path, command }: CompletedCommand) => {
    const args = (command.arguments ?? []).map((argument) => {
      const choice = typeof argument === 'string' ? undefined : argument.choices?.[0];
      return choice ?? values[argumentName(argument)] ?? 'something';
    });
    return [...path.split(' '), ...args, ...(OPTIONS[path] ?? [])];
  };
  const commands = completedCommands(OPERATOR_COMMANDS).filter(({ path }) => !/\berase$/.test(path));
  const lines = commands.map((each) => ({
    ...{ path: each.path, words: wordsOf(each) },
    isReading: /^(?:Counts|Explains|Finds|Lists|Prints|Shows) /.test(each.command.summary),
  }));
  return [...lines.filter(({ isReading }) => isReading), ...lines.filter(({ isReading }) => !isReading)];
}

it('every command masks the candidate, in tables and with --json, and reveals it with a reason', async () => {
  const stage = await openStage();
  const lines = await linesOf(stage);
  for (const { path, words } of lines) {
    expect(isMarked((await run(stage, words)).text), path).toBe(false);
    expect(isMarked((await run(stage, [...words, '--as', 'ada', '--json'])).text), path).toBe(false);
  }
  const revealed: string[] = [];
  for (const { path, words, isReading } of lines) {
    if (isReading && isMarked((await run(stage, [...words, ...REVEAL, '--json'])).text)) revealed.push(path);
  }
  expect(revealed).toEqual(
    expect.arrayContaining([
      ...[
        'applications list',
        'applications show',
        'applications events',
        'applications timeline',
        'timeline',
      ],
      ...['candidates find', 'candidates export', 'export', 'deliveries list', 'deliveries show'],
      ...['deliveries attempts', 'endpoints health'],
    ]),
  );
});

it('the audit says who saw whom, and why', async () => {
  const stage = await openStage();
  const { operator, id, eventId, partner } = stage;
  const shown = [
    ...['applications list', `applications show ${id}`, `applications events ${id}`, `timeline ${id}`],
    ...['candidates find --phone +14155550815', 'export --phone +14155550815'],
    ...[`deliveries show ${partner.keyId} ${eventId}`, `deliveries attempts ${partner.keyId}`],
  ];
  const others = ['jobs list', 'keys list', 'requests list', 'candidates find --phone +14155550199'];
  const seen = async () => (await operator.audit.list({ act: 'candidates.reveal' })).entries;
  for (const [index, line] of [...shown, ...others].entries()) {
    expect((await run(stage, [...line.split(' '), ...REVEAL])).code, line).toBe(0);
    expect(await seen(), line).toHaveLength(Math.min(index + 1, shown.length));
  }
  for (const { actor, objects } of await seen()) {
    expect(actor).toEqual({ id: 'ada', name: null, reason: 'ticket 815' });
    expect(objects).toEqual([{ kind: 'application', id }]);
  }
  expect(isMarked(JSON.stringify(await seen()))).toBe(false);
});

it('prints nothing if the audit cannot record who saw it', async () => {
  const stage = await openStage();
  const fail = async () => {
    throw new Error('No entry.');
  };
  const { operator } = stage;
  const broken = {
    ...operator,
    as: () => ({ ...operator, candidates: { ...operator.candidates, reveal: fail } }),
  } as unknown as typeof operator;
  const shown = await run({ operator: broken }, ['applications', 'show', stage.id, ...REVEAL, '--json']);
  expect(shown.code).toBe(1);
  expect(isMarked(shown.text)).toBe(false);
});
