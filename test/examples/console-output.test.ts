import { expect, test } from 'vitest';
import type { ExamplePartnerHiring } from '../../examples/server/open-partner-hiring.js';
import { applicationGroup } from '../../examples/server/operator/application-commands.js';
import { createCommandInput } from '../../examples/server/operator/command-input.js';

const APPLICATION = {
  id: 'ej_app_1',
  jobId: 'job_1',
  status: 'received',
  stage: 'initial_outreach',
  candidate: {
    firstName: '\u001b[2J\u009b2JAda',
    lastName: 'Love\nlace\u202e',
    email: 'ada@example.org',
    phone: '+14155550123',
  },
  answers: { '\u001bkey': '\u009b' },
  sourceApplicationId: '\r\u001b]0;title\u0007',
  source: null,
  resume: { kind: 'none' },
  submittedAt: 0,
  lastStatusChangeAt: 0,
};

test.each(['list', 'show'])(
  'what a partner wrote keeps to its line of the terminal: applications %s',
  async (verb) => {
    const operator = {
      applications: { list: async () => [APPLICATION], find: async () => APPLICATION },
    } as unknown as ExamplePartnerHiring['operator'];
    const input = createCommandInput({ application: 'ej_app_1' }, {});
    const report = await applicationGroup.commands[verb]?.run(operator, input);
    expect(report?.text).toContain('Love lace');
    expect(report?.text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  },
);
