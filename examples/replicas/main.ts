/**
 * Two API processes and two workers on one PostgreSQL, with a balancer and a partner's receiver. Each process can be
 * stopped and started at any time.
 * `npm run replicas` uses a PostgreSQL from npm, or yours with `DATABASE_URL`, in a temporary schema.
 * `npm run replicas -- --stay` keeps everything running until Ctrl-C.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { openDatabase } from '../database/open-database.js';
import { coloured, print, printError } from '../server/console-output.js';
import { expectThat, within } from '../server/demo/demo-failure.js';
import { type PartnerReceiver, startPartnerReceiver } from '../server/demo/partner-receiver.js';
import { runStory } from '../server/demo/run-story.js';
import { createStoryteller } from '../server/demo/storyteller.js';
import { type Deployment, deploy } from './deployment.js';
import { stayOpen } from './stay.js';
import { playStory } from './story.js';

/** The time limit of the story, long enough for a slow machine. */
const WHOLE_STORY_MS = 110_000;

const options = readOptions();
const step = createStoryteller();
let isLoud = false;

function readOptions() {
  try {
    return parseArgs({ options: { stay: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    printError(`${error instanceof Error ? error.message : error}. The only option is --stay.`);
    process.exit(2);
  }
}

async function run(interrupted: Promise<never>): Promise<void> {
  const database = await step('A database is there', async () => {
    const value = await openDatabase(interrupted);
    return { value, told: value.description };
  });
  const schema = `replicas_${randomBytes(4).toString('hex')}`;
  try {
    const deployment = await step('Two API processes and two workers start on it', async () => {
      const value = await deploy(database.url, schema, showLine, interrupted);
      return { value, told: describe(value) };
    });
    const receiver = await startPartnerReceiver();
    try {
      await play(deployment, receiver, interrupted);
    } finally {
      await deployment.stop();
      await receiver.close();
    }
  } finally {
    await database.leave(schema);
  }
}

function showLine(name: string, line: string): void {
  if (isLoud) print(`${coloured('cyan', name.padEnd(8))} ${line}`);
}

async function play(
  deployment: Deployment,
  receiver: PartnerReceiver,
  interrupted: Promise<never>,
): Promise<void> {
  const story = playStory({ deployment, receiver, step });
  const keys = await within(WHOLE_STORY_MS, 'The story', Promise.race([story, interrupted]));
  if (options.stay) {
    isLoud = true;
    await stayOpen(deployment, keys, interrupted);
  }
  await step('All processes stop, gracefully', async () => {
    const codes = await deployment.stop();
    expectThat(
      codes.every((code) => code === 0),
      `The exit codes should be 0, but are ${codes.join(', ')}`,
    );
    return { value: undefined, told: `exit codes ${codes.join(', ')}` };
  });
}

function describe({ apis, workers, balancer }: Deployment): string {
  const processes = [...apis, ...workers].map((replica) => {
    const address = replica.address();
    return `${replica.name} (process ${replica.pid()}${address === null ? '' : `, ${address}`})`;
  });
  return [...processes, `a balancer in front at ${balancer.address}`].join('\n      ');
}

await runStory(run, 'Nothing was lost, and nothing happened twice.');
