import type { PartnerEvent } from '@partner-hiring/webhook-verifier';
import { equal, type RuntimeTest } from './check.js';
import type { Subject } from './subject.js';

/** Uses an event like a partner; the compiler narrows by `type`. */
function describeEvent(event: PartnerEvent): string {
  switch (event.type) {
    case 'application.status_changed':
      return `${event.data.applicationId} is ${event.data.newStatus}`;
    case 'job.opened':
      return `${event.data.title} opened`;
    case 'job.closed':
      return `${event.data.jobId} closed: ${event.data.reason}`;
    default:
      return `${event.type}, ${Object.keys(event.data).join()}`;
  }
}

const STORIES: Readonly<Record<string, string>> = {
  'application.status_changed': 'ej_app_1 is accepted',
  'job.opened': 'Picker opened',
  'job.closed': 'job_1 closed: access_revoked',
  'a type to come, and its data': 'job.paused, until',
};

/** Tests of parsed events. */
export function eventTests({ verifier, vectors }: Subject): readonly RuntimeTest[] {
  return Object.entries(STORIES).map(([name, story]) => ({
    name: `an event narrows by its type: ${name}`,
    run: async () => {
      const vector = vectors.verify.find((entry) => entry.name === name);
      if (vector === undefined || vector.body === null || !('text' in vector.body)) {
        throw new Error('The vectors lack it.');
      }
      const headers = Object.fromEntries(vector.headers);
      const options = { body: vector.body.text, headers, secret: vector.secrets, now: vector.now * 1_000 };
      const result = await verifier.verifyWebhook(options);
      equal(result.ok ? describeEvent(result.event) : result.reason, story);
    },
  }));
}
