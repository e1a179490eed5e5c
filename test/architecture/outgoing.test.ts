/** Every request that core sends outside, and what keeps it from leaving a copy of production: docs/copies.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, sourcesOf } from './sources.js';

/** Calls that lead outside: a transport, a source of résumés, and the message in an alert. */
const OUTGOING = /\b(?:transport\.post|source\.fetch|messageOf\(claimed|http\.send)\b/;

/** The files with such calls, and why a process of another deployment does not get there. */
const GUARDED: Readonly<Record<string, string>> = {
  'packages/core/src/worker/attempt.ts':
    'a webhook of a leased endpoint, or a test event behind assertSending',
  'packages/core/src/create-host-worker.ts': 'probes, behind assertSending',
  'packages/core/src/features/resumes/round-task.ts': 'a download of a claimed task',
  'packages/core/src/features/alerts/task.ts': 'a message, only if the claim does not mark its alert',
  // These only wrap the calls above.
  'packages/core/src/worker/guard-transport.ts': 'the transport of the host',
  'packages/core/src/features/resumes/metrics.ts': 'the source of the host',
  'packages/core/src/features/resumes/defaults/resume-source.ts': 'the default source',
  'packages/core/src/defaults/safe-transport.ts': 'the default transport',
};

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

test('nothing else in core sends a request', () => {
  const sending = sourcesOf('core').filter((file) => !file.includes('.test.') && OUTGOING.test(textOf(file)));
  expect(sending.toSorted()).toEqual(Object.keys(GUARDED).toSorted());
});

test('what is sent without a lease asks first', () => {
  const text = textOf('packages/core/src/create-host-worker.ts');
  const sends = [...text.matchAll(/return (?:attempt\(|transport\.post\()/g)];
  expect(sends).toHaveLength(2);
  expect([...text.matchAll(/await watch\.assertSending\(\);/g)]).toHaveLength(sends.length);
});
