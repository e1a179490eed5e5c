import {
  bodyOf,
  type Check,
  createSample,
  eventCheck,
  JOB_OPENED_CHECK,
  type ProbeStage,
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

/** Builds a check that sends a signed body, which the receiver must accept. */
function taken(
  name: string,
  sent: string,
  finding: Check['finding'],
  bodyIn: (stage: ProbeStage) => string,
): Check {
  return { name, sent, expects: 'taken', finding, run: sending((stage) => stage.sign(bodyIn(stage))) };
}

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
    ...taken('other_scripts', 'a title with umlauts, Chinese and an emoji', 'verifies_other_bytes', () =>
      bodyOf(createSample('job.opened', { title: 'Köchin 厨师 🍳' })),
    ),
    after: ['job_opened'],
  },
  {
    ...taken('longest_title', 'the longest title', 'refuses_long_text', () =>
      bodyOf(createSample('job.opened', { title: LONGEST_TITLE })),
    ),
    after: ['job_opened', 'other_scripts'],
  },
  taken('raw_bytes', 'a body with white space and an escaped letter', 'verifies_other_bytes', ({ sample }) =>
    JSON.stringify(sample(), null, 2).replace('"apiVersion"', '"\\u0061piVersion"'),
  ),
  REPEATED_CHECK,
];

const UNKNOWN_FIELD = { certifyUnknownField: { nested: [1, null] } };

/** Checks that the receiver accepts types, fields and values that v1 may gain. */
export const GROWTH_CHECKS: readonly Check[] = [
  taken('unknown_type', 'an event of an unknown type', 'refuses_unknown_type', ({ sample }) =>
    bodyOf({ ...sample(), type: 'certify.unknown_type' }),
  ),
  taken(
    'unknown_envelope_field',
    'an envelope with an unknown field',
    'refuses_unknown_field',
    ({ sample }) => bodyOf({ ...sample(), ...UNKNOWN_FIELD }),
  ),
  taken('unknown_data_field', 'data with an unknown field', 'refuses_unknown_field', ({ sample }) => {
    const event = sample();
    return bodyOf({ ...event, data: { ...event.data, ...UNKNOWN_FIELD } });
  }),
  {
    ...taken('unknown_value', 'job.closed with an unknown reason', 'refuses_unknown_value', () =>
      bodyOf(createSample('job.closed', { reason: 'certify_unknown_reason' })),
    ),
    after: ['job_closed'],
  },
];
