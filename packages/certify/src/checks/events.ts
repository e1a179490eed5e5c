import {
  bodyOf,
  type Check,
  createSample,
  eventCheck,
  JOB_OPENED_CHECK,
  REPEATED_CHECK,
  type SampleType,
  sending,
} from '@partner-hiring/core/probes';

/** One check for each documented event type. All later checks use a type that the receiver accepted here. */
export const EVENT_CHECKS: readonly (Check & { readonly type: SampleType })[] = [
  eventCheck('application_status_changed', 'application.status_changed'),
  JOB_OPENED_CHECK,
  eventCheck('job_closed', 'job.closed'),
];

/** The longest allowed title: 500 characters, each of which has four bytes in UTF-8. */
const LONGEST_TITLE = '🍳'.repeat(500);

/** Checks that the receiver accepts unusual values that documented events may have. */
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
    sent: 'a body with white space and an escaped letter',
    expects: 'taken',
    finding: 'verifies_other_bytes',
    run: sending(({ sign, sample }) => {
      const body = JSON.stringify(sample(), null, 2).replace('"apiVersion"', '"\\u0061piVersion"');
      return sign(body);
    }),
  },
  REPEATED_CHECK,
];

const UNKNOWN_FIELD = { certifyUnknownField: { nested: [1, null] } };

/** Checks that the receiver accepts types, fields and values that v1 may gain. */
export const GROWTH_CHECKS: readonly Check[] = [
  {
    name: 'unknown_type',
    sent: 'an event of an unknown type',
    expects: 'taken',
    finding: 'refuses_unknown_type',
    run: sending(({ sign, sample }) => sign(bodyOf({ ...sample(), type: 'certify.unknown_type' }))),
  },
  {
    name: 'unknown_envelope_field',
    sent: 'an envelope with an unknown field',
    expects: 'taken',
    finding: 'refuses_unknown_field',
    run: sending(({ sign, sample }) => sign(bodyOf({ ...sample(), ...UNKNOWN_FIELD }))),
  },
  {
    name: 'unknown_data_field',
    sent: 'data with an unknown field',
    expects: 'taken',
    finding: 'refuses_unknown_field',
    run: sending(({ sign, sample }) => {
      const event = sample();
      return sign(bodyOf({ ...event, data: { ...event.data, ...UNKNOWN_FIELD } }));
    }),
  },
  {
    name: 'unknown_value',
    sent: 'job.closed with an unknown reason',
    expects: 'taken',
    finding: 'refuses_unknown_value',
    after: ['job_closed'],
    run: sending(({ sign }) =>
      sign(bodyOf(createSample('job.closed', { reason: 'certify_unknown_reason' }))),
    ),
  },
];
