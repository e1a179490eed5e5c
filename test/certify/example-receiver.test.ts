import { type CertifyReport, certify } from '@partner-hiring/certify';
import { expect, onTestFinished, test } from 'vitest';
import { createReceiver, type ReceivedDelivery, WEBHOOK_PATH } from '../../examples/receiver/receiver.js';
import { OLD_SECRET, SECRET } from './receiver.js';

/** Starts the example receiver and certifies it. */
async function certifyExample(secrets: readonly string[], oldSecret: readonly string[] = []) {
  const deliveries: ReceivedDelivery[] = [];
  const app = createReceiver({ secrets: () => secrets, onDelivery: (one) => deliveries.push(one) });
  onTestFinished(() => app.close());
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `${address}${WEBHOOK_PATH}`;
  return { deliveries, report: await certify({ url, secret: secrets, oldSecret }) };
}

function notPassed({ checks }: CertifyReport): readonly string[] {
  return checks.filter(({ verdict }) => verdict !== 'passed').map(({ name }) => name);
}

test('the example receiver passes every check', async () => {
  const { report } = await certifyExample([SECRET], [OLD_SECRET]);
  expect(report).toMatchObject({ passed: true, findings: [] });
  expect(notPassed(report)).toEqual([]);
});

test('the example receiver passes during a rotation', async () => {
  const { report } = await certifyExample([SECRET, OLD_SECRET]);
  expect(report).toMatchObject({ passed: true, findings: [] });
  expect(notPassed(report)).toEqual([]);
});

test('each bad delivery has the fault of its check', async () => {
  const { deliveries, report } = await certifyExample([SECRET]);
  const reasons = deliveries.flatMap((one) => (one.kind === 'refused' ? [one.reason] : []));
  const names = report.checks.filter(({ expects }) => expects === 'refused').map(({ name }) => name);
  // The last refusal only prepares the check of a kept connection.
  expect(names.map((name, index) => [name, reasons[index]])).toEqual([
    ['tampered_body', 'no_matching_signature'],
    ['wrong_secret', 'no_matching_signature'],
    ['tampered_white_space', 'no_matching_signature'],
    ['first_digit', 'no_matching_signature'],
    ['last_digit', 'no_matching_signature'],
    ['short_signature', 'malformed_header'],
    ['empty_signature', 'malformed_header'],
    ['tampered_timestamp', 'no_matching_signature'],
    ['no_signature', 'missing_header'],
    ['no_v1', 'malformed_header'],
    ['no_t', 'malformed_header'],
    ['junk_signature', 'malformed_header'],
    ['stale', 'too_old'],
    ['future', 'too_new'],
    ['stale_with_fresh_header', 'timestamp_mismatch'],
    ['stale_with_fresh_t', 'timestamp_mismatch'],
  ]);
});

test('one event is sent twice and recognized', async () => {
  const { deliveries } = await certifyExample([SECRET]);
  expect(deliveries.filter(({ kind }) => kind === 'repeated')).toHaveLength(1);
});
