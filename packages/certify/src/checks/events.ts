import { bodyOf, createSample, type SampleType } from '../samples.js';
import { type Check, sending } from './check.js';

/** One of each documented type. Whatever else is sent is made of a type that was taken here. */
export const EVENT_CHECKS: readonly (Check & { readonly type: SampleType })[] = [
  eventCheck('application_status_changed', 'application.status_changed'),
  eventCheck('job_opened', 'job.opened'),
  eventCheck('job_closed', 'job.closed'),
];

function eventCheck(name: string, type: SampleType): Check & { readonly type: SampleType } {
  return {
    name,
    type,
    sent: `${type} as the service sends it`,
    expects: 'taken',
    finding: 'refuses_event_type',
    run: sending(({ sign }) => sign(bodyOf(createSample(type)))),
  };
}

/** Titles have at most 500 characters, each of up to four bytes. */
const LONGEST_TITLE = '🍳'.repeat(500);

/** What the documented events may hold. */
export const CONTENT_CHECKS: readonly Check[] = [
  {
    name: 'rejected_without_source_id',
    sent: 'a rejection whose sourceApplicationId is null',
    expects: 'taken',
    finding: 'refuses_null',
    after: ['application_status_changed'],
    run: sending(({ sign }) => {
      const data = { sourceApplicationId: null, newStatus: 'rejected', currentStage: 'Closed' };
      return sign(bodyOf(createSample('application.status_changed', data)));
    }),
  },
  {
    name: 'other_scripts',
    sent: 'a title with umlauts, Chinese and an emoji',
    expects: 'taken',
    finding: 'verifies_other_bytes',
    after: ['job_opened'],
    run: sending(({ sign }) => sign(bodyOf(createSample('job.opened', { title: 'Köchin 厨师 🍳' })))),
  },
  {
    name: 'longest_title',
    sent: 'the longest title',
    expects: 'taken',
    finding: 'refuses_long_text',
    after: ['job_opened', 'other_scripts'],
    run: sending(({ sign }) => sign(bodyOf(createSample('job.opened', { title: LONGEST_TITLE })))),
  },
  {
    name: 'raw_bytes',
    sent: 'a body that no serialiser would write again: white space, an escaped letter',
    expects: 'taken',
    finding: 'verifies_other_bytes',
    run: sending(({ sign, sample }) => {
      const body = JSON.stringify(sample(), null, 2).replace('"apiVersion"', '"\\u0061piVersion"');
      return sign(body);
    }),
  },
  {
    name: 'repeated',
    sent: 'an event that came before',
    expects: 'taken',
    finding: 'refuses_repeated',
    run: async ({ sign, send, sample }) => {
      const body = bodyOf(sample());
      // Each attempt is signed by itself: the second has a signature of its own.
      await send(await sign(body, { ageSeconds: 1 }));
      return [await send(await sign(body))];
    },
  },
];
