import { bodyOf, createSample } from '../samples.js';
import { type Check, sending } from './check.js';

const UNKNOWN_FIELD = { certifyUnknownField: { nested: [1, null] } };

/** What v1 may add without asking. */
export const GROWTH_CHECKS: readonly Check[] = [
  {
    name: 'unknown_type',
    sent: 'an event of a type that does not exist yet',
    expects: 'taken',
    finding: 'refuses_unknown_type',
    run: sending(({ sign, sample }) => sign(bodyOf({ ...sample(), type: 'certify.unknown_type' }))),
  },
  {
    name: 'unknown_envelope_field',
    sent: 'an envelope with a field that does not exist yet',
    expects: 'taken',
    finding: 'refuses_unknown_field',
    run: sending(({ sign, sample }) => sign(bodyOf({ ...sample(), ...UNKNOWN_FIELD }))),
  },
  {
    name: 'unknown_data_field',
    sent: 'data with a field that does not exist yet',
    expects: 'taken',
    finding: 'refuses_unknown_field',
    run: sending(({ sign, sample }) => {
      const event = sample();
      return sign(bodyOf({ ...event, data: { ...event.data, ...UNKNOWN_FIELD } }));
    }),
  },
  {
    name: 'unknown_value',
    sent: 'job.closed with a reason that does not exist yet',
    expects: 'taken',
    finding: 'refuses_unknown_value',
    after: ['job_closed'],
    run: sending(({ sign }) =>
      sign(bodyOf(createSample('job.closed', { reason: 'certify_unknown_reason' }))),
    ),
  },
];
