/** The command line masks personal data, unless somebody reveals it with a reason. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, it, onTestFinished } from 'vitest';
import { linesOf, runLine as run } from './command-lines.js';
import { markersOf, openPersonalStage } from './stage.js';

const PERSON = 'Zq0815xw';
const REVEAL = ['--reveal', '--as', 'ada', '--reason', 'ticket 815'];

/** A hired candidate whom the receiver's answer quotes. */
async function openStage() {
  const stage = await openPersonalStage();
  onTestFinished(() => stage.close());
  stage.fixture.transport.answerWith({ kind: 'answered', status: 500, excerpt: `cannot store ${PERSON}` });
  const id = await stage.submit(PERSON);
  await stage.drain();
  await stage.operator.applications.move({ id });
  await stage.operator.applications.decide({ id, decision: 'accepted' });
  await stage.drain();
  const {
    items: [details],
  } = await stage.operator.deliveries.list({ applicationId: id });
  return { ...stage, id, eventId: details?.eventId ?? '' };
}

function isMarked(text: string): boolean {
  return markersOf(PERSON).some((marker) => text.includes(marker));
}

it('every command masks the candidate, in tables and with --json, and reveals it with a reason', async () => {
  const stage = await openStage();
  const lines = await linesOf(stage, PERSON);
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
      'applications list',
      'applications show',
      'timeline',
      'candidates export',
      'export',
      'deliveries list',
      'deliveries show',
      'deliveries attempts',
    ]),
  );
});

it('the audit says who saw whom, and why', async () => {
  const stage = await openStage();
  const { operator, id, eventId, partner } = stage;
  const shown = [
    'applications list',
    `applications show ${id}`,
    `timeline ${id}`,
    'applications list --phone +14155550815',
    'export --phone +14155550815',
    `deliveries show ${partner.keyId} ${eventId}`,
    `deliveries attempts ${partner.keyId}`,
  ];
  const others = ['jobs list', 'keys list', 'requests list', 'applications list --phone +14155550199'];
  const seen = async () => (await operator.audit.list({ act: 'candidates.reveal' })).items;
  for (const [index, line] of [...shown, ...others].entries()) {
    expect((await run(stage, [...line.split(' '), ...REVEAL])).code, line).toBe(0);
    expect(await seen(), line).toHaveLength(Math.min(index + 1, shown.length));
  }
  for (const { actor, objects } of await seen()) {
    expect(actor).toEqual({ id: 'ada', name: null, reason: 'ticket 815', door: 'command_line' });
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
    through: () => broken,
    as: () => ({ ...operator, candidates: { ...operator.candidates, reveal: fail } }),
  };
  const shown = await run({ operator: broken }, ['applications', 'show', stage.id, ...REVEAL, '--json']);
  expect(shown.code).toBe(1);
  expect(isMarked(shown.text)).toBe(false);
});

/** Collects the questions that the command line asks, and answers them. */
function asked() {
  const questions: string[] = [];
  const answer = (given: boolean | null) => async (question: string) => {
    questions.push(question);
    return given;
  };
  return { questions, answer };
}

it('`candidates erase` counts and asks first, and writes its receipt to a new file', async () => {
  const stage = await openStage();
  const folder = temporaryFolder();
  const file = join(folder, 'receipt.json');
  const words = ['candidates', 'erase', '--email', `mail${PERSON}@example.org`, '--receipt', file];
  const { questions, answer } = asked();
  const isErased = async () => (await stage.operator.applications.find({ id: stage.id }))?.erasedAt !== null;

  const refused = await run(stage, words, answer(false));
  expect(refused).toEqual({ code: 1, text: 'Nothing was erased. Applications found: 1.' });
  const unattended = await run(stage, words, answer(null));
  expect(unattended.code).toBe(1);
  expect(unattended.text).toMatch(/Nobody can answer here: check them and add --yes\.$/);
  expect(questions[0]).toMatch(/^ {2}ej_app_\S+ {2}Acme ATS, Depot, .*\nErase the data of 1 application\?/);
  expect(questions.some(isMarked)).toBe(false);
  expect([await isErased(), existsSync(file)]).toEqual([false, false]);

  const erased = await run(stage, words, answer(true));
  expect(erased.code).toBe(0);
  expect(erased.text).toContain(`Erased: ${stage.id}.`);
  expect(erased.text).toContain(`The receipt is in ${file}.`);
  expect(erased.text).toContain('An address with a tag, such as name+tag@example.org, is another one.');
  expect(await isErased()).toBe(true);
  const receipt = JSON.parse(await readFile(file, 'utf8'));
  expect(receipt).toMatchObject({ counts: { applications: 1 }, applications: [{ id: stage.id }] });
  expect(isMarked(JSON.stringify(receipt))).toBe(false);

  const again = await run(stage, ['candidates', 'erase', '--application', stage.id, '--receipt', file]);
  expect(again.code).toBe(2);
  expect(again.text).toMatch(/^--receipt must name a new file .*\(it exists\)\. Nothing was erased\.$/);
  const repeated = await run(stage, ['candidates', 'erase', '--application', stage.id, '--json']);
  expect(JSON.parse(repeated.text)).toMatchObject({ erasedAt: receipt.erasedAt, counts: receipt.counts });
  expect(questions).toHaveLength(3);
});

it('`candidates erase-many` counts and asks first', async () => {
  const stage = await openStage();
  await stage.clock.advance(60_000);
  const words = ['candidates', 'erase-many', '--changed-before', '2100-01-01'];
  const { questions, answer } = asked();
  const refused = await run(stage, words, answer(false));
  expect(refused).toEqual({ code: 1, text: 'Nothing was erased. Applications found: 1.' });
  expect((await run(stage, words, answer(null))).text).toMatch(/check them and add --yes\.$/);
  expect(await stage.operator.operations.list()).toMatchObject({ items: [] });
  expect(questions).toEqual([1, 2].map(() => 'Erase the data of 1 application? This cannot be undone.'));
  const preview = await run(stage, [...words, '--dry-run'], answer(null));
  expect(preview.text).toBe('Candidates that would be erased: 1.');
  const started = await run(stage, [...words, '--yes'], answer(null));
  expect(started.text).toMatch(/^The server erases them in steps\./);
});
