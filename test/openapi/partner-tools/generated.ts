import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, runProgram, runTool } from './program.js';

const AT = '2026-11-21T10:15:30.123Z';
const APPLICATION = {
  id: 'ej_app_01k2f9',
  sourceApplicationId: '😀'.repeat(128),
  jobId: 'job_01k2f7',
  status: 'on_hold', // new
  currentStage: 'Work Sample', // new
  submittedAt: AT,
  lastStatusChangeAt: AT,
  perks: ['new'],
};
const JOB = {
  id: 'job_01k2f7',
  title: '😀'.repeat(500),
  company: { id: 'co_1', name: 'Harbor' },
  location: { city: '', state: '', country: 'US' },
  compensation: { type: 'salary', min: 18.5, max: null, currency: 'USD' },
  schedule: null,
  status: 'paused',
  headcount: { total: null, filled: 0 },
  createdAt: AT,
  updatedAt: AT,
  applicationFormSchema: [{ key: 'a', label: 'A', type: 'color', required: false }],
};
const SUBMISSION = {
  jobId: 'job_01k2f7',
  candidate: { firstName: 'Ada', lastName: 'Reyes', email: ' .ada.@köln.example ', phone: '(775) 555-0123' },
  consentToContact: true,
  source: null,
  applicationFormAnswers: { shift: 'late' },
  resumeUrl: ' https://files.ats.example/ada reyes.pdf ',
};

/** What the generated schemas must accept, and what they must refuse. */
const VALUES = {
  pages: [{ data: [APPLICATION], next_cursor: 'c' }, { data: [] }],
  jobs: [{ data: [JOB] }],
  submissions: [SUBMISSION],
  refused: [
    { ...SUBMISSION, jobId: '' },
    { ...SUBMISSION, candidate: { ...SUBMISSION.candidate, email: 'ada' } },
  ],
};

/** Generates zod schemas with hey-api and orval, and returns what they complain about. */
export async function checkGenerated(document: string, folder: string): Promise<readonly string[]> {
  const [hey, orval] = [join(folder, 'hey.config.mjs'), join(folder, 'orval.config.mjs')];
  const heyOptions = { input: document, output: join(folder, 'hey'), plugins: ['zod'] };
  const output = { client: 'zod', mode: 'single', target: join(folder, 'orval.ts') };
  writeFileSync(hey, `export default ${JSON.stringify(heyOptions)};`);
  writeFileSync(orval, `export default ${JSON.stringify({ api: { input: document, output } })};`);
  await runTool('@hey-api/openapi-ts/bin/run.js', ['-f', hey], folder);
  await runTool('orval/dist/bin/orval.mjs', ['--config', orval], folder);
  const generated = [join(folder, 'hey/zod.gen.ts'), join(folder, 'orval.ts')];
  const args = [join(PROJECT, 'validate.mjs'), ...generated, JSON.stringify(VALUES)];
  return (await runProgram(args, folder)).split('\n').filter((line) => line !== '');
}
