import { createRecordingTelemetry } from '@partner-hiring/test-support/recording-telemetry';
import { createRecordingLogger } from '@partner-hiring/test-support/telemetry';
import { expect, it } from 'vitest';
import type { Operator } from '../operator/operator.js';
import { createEndpointObserver, observeOperator } from './endpoints.js';

const TARGET = { keyId: 'key_1' } as const;

it('pauses and resumes inside a transaction of the host are counted and logged like any other', async () => {
  const endpoints = {
    pause: async () => ({ changed: true }),
    resume: async () => ({ changed: true, pausedReason: 'gone' }),
  };
  const operator = { endpoints, within: () => ({ endpoints }) } as unknown as Operator<'theirs'>;
  const telemetry = createRecordingTelemetry();
  const logger = createRecordingLogger();
  const observed = observeOperator(operator, createEndpointObserver(telemetry), logger);
  for (const commands of [observed, observed.within('theirs')]) {
    await commands.endpoints.pause(TARGET);
    await commands.endpoints.resume(TARGET);
  }
  const pause = { name: 'partner_hiring.endpoint.pauses', unit: '{pause}', value: 1 };
  const resume = { name: 'partner_hiring.endpoint.resumes', unit: '{resume}', value: 1 };
  const each = [
    { ...pause, attributes: { 'partner_hiring.pause.reason': 'operator' } },
    { ...resume, attributes: { 'partner_hiring.pause.reason': 'gone' } },
  ];
  expect(telemetry.measured).toEqual([...each, ...each]);
  const fields = ['operator', 'gone'].map((reason) => ({ ...TARGET, reason }));
  expect(logger.lines.map((line) => line.fields)).toEqual([...fields, ...fields]);
});
