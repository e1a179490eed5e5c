/** The questions that partners ask, and the heading of `docs/questions.md` that answers each. */
import { describe, expect, it } from 'vitest';
import { BOOTSTRAP_MS } from '../../packages/core/src/domain/access.js';
import { BOOTSTRAP_FACTOR } from '../../packages/core/src/domain/rate-limit.js';
import { REFUSED_RESUME_DELAYS_MS, RESUME_DELAYS_MS } from '../../packages/core/src/domain/resume.js';
import { ATTEMPT_DELAYS_MS, MAX_ATTEMPTS } from '../../packages/core/src/domain/retry-schedule.js';
import { WEBHOOK_USER_AGENT } from '../../packages/core/src/domain/signature.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../packages/core/src/domain/time.js';
import { RESUME_USER_AGENT } from '../../packages/core/src/features/resumes/defaults/resume-source.js';
import { SANDBOX_AWAY_MS } from '../../packages/core/src/features/sandbox/step-rules.js';
import { WORKER_DEFAULTS } from '../../packages/core/src/worker/options.js';
import { readPage } from './fences.js';

const PAGE = readPage('docs/questions.md');

const ANSWERED_BY: Readonly<Record<string, string>> = {
  'addresses and User-Agent for allow-lists': 'Which addresses does the service send from?',
  'TLS versions, certificates, ports': 'Which TLS, certificates and ports does it accept?',
  'several endpoints, custom headers': 'Can I have several endpoints, headers of my own, or mTLS?',
  'people with one name': 'What if a person has one name?',
  'withdrawal by the candidate': 'What if a candidate withdraws?',
  corrections: 'How do I correct a submission?',
  'the same person twice': 'What if I submit the same person twice?',
  'erasure asked by the partner': 'How do I have a candidate erased?',
  'what the partner sees after an erasure': 'What do I see after an erasure?',
  attachments: 'Can I send attachments?',
  'how long a résumé link must stay valid': 'How long must a résumé link stay valid?',
  'that failed downloads are not reported': 'Do I learn that a résumé could not be downloaded?',
  'sensitive answers': 'What happens to sensitive answers?',
  'events without an endpoint': 'Can I get events without a public endpoint?',
  'telling the sandbox from production': 'How do I tell sandbox events from those of production?',
  'deliveries in parallel': 'How many webhooks arrive at once?',
  'how long paused events are kept': 'How long are events kept while my endpoint is paused?',
  'how long delivered and failed events are kept': 'How long are delivered and failed events kept?',
  'what arrives after a pause': 'Do I get everything after a pause?',
  'contact and status': 'Whom do I ask, and where is the status?',
  'who grants bootstrap mode': 'Who grants bootstrap mode?',
  'a first test in production': 'May I submit an invented person in production?',
  'resets of the sandbox': 'How do I reset the sandbox?',
};

/** The text under a heading, on one line. */
function answerTo(heading: string): string {
  const [, after = ''] = PAGE.split(`\n### ${heading}\n`);
  return (after.split(/\n#+ /)[0] ?? '').replaceAll(/\s+/g, ' ').trim();
}

it.each(Object.entries(ANSWERED_BY))('the question about %s has an answer', (_, heading) => {
  expect(answerTo(heading)).toMatch(/^\S.{10,}\.$/);
});

it('every heading answers a question of the list, and the page stays short', () => {
  const headings = [...PAGE.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(Object.values(ANSWERED_BY));
  expect(PAGE.length).toBeLessThan(7_500);
});

describe('the answers agree with the code about', () => {
  it.each([
    ['User-Agent', 'addresses and User-Agent for allow-lists', [WEBHOOK_USER_AGENT, RESUME_USER_AGENT], true],
    [
      'parallel deliveries',
      'deliveries in parallel',
      ['Up to four'],
      WORKER_DEFAULTS.maxInFlightPerEndpoint === 4,
    ],
    [
      'delivered events',
      'how long delivered and failed events are kept',
      ['30 days'],
      WORKER_DEFAULTS.deliveredEventsMs === 30 * DAY_MS,
    ],
    ['attempts', 'how long delivered and failed events are kept', ['the tenth attempt'], MAX_ATTEMPTS === 10],
    [
      'the longest delay',
      'what arrives after a pause',
      ['a day'],
      Math.max(...ATTEMPT_DELAYS_MS) === 24 * HOUR_MS,
    ],
    [
      'downloads',
      'how long a résumé link must stay valid',
      ['30 seconds', 'ten minutes', '1, 10 and 60 minutes'],
      `${[...RESUME_DELAYS_MS, ...REFUSED_RESUME_DELAYS_MS]}` ===
        `${[0, 30 * SECOND_MS, 10 * MINUTE_MS, 0, MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS]}`,
    ],
    [
      'bootstrap mode',
      'who grants bootstrap mode',
      ['24 hours', 'five times'],
      BOOTSTRAP_MS === DAY_MS && BOOTSTRAP_FACTOR === 5,
    ],
    ['the sandbox', 'resets of the sandbox', ['about a minute'], SANDBOX_AWAY_MS === MINUTE_MS],
  ] as const)('%s', (_, question, texts, isSoInCode) => {
    for (const text of texts) expect(answerTo(ANSWERED_BY[question] ?? '')).toContain(text);
    expect(isSoInCode).toBe(true);
  });
});
