import { isDeepStrictEqual } from 'node:util';
import type { ApplicationId, DeliveryTarget } from '@partner-hiring/core';
import type { AnyOperator } from '../command/command.js';
import { type CommandInput, isIdOfKind } from '../command/command-input.js';
import { isApplication, maskPersonalData } from './mask-results.js';

/**
 * Records in the audit whose personal data a result contains, before the result is printed. Adds one entry for each
 * application.
 */
export async function recordReveal(
  operator: AnyOperator,
  result: unknown,
  input: CommandInput,
): Promise<void> {
  if (isDeepStrictEqual(maskPersonalData(result), result)) return;
  const found = new Set<ApplicationId>();
  // The events of deliveries and attempts, whose answers may quote a candidate.
  const events = new Map<string, DeliveryTarget>();
  // A timeline does not repeat the application that it is about.
  for (const name of ['application', 'id']) addIfApplication(found, input.argument(name));
  visit(result, (value) => {
    if (isApplication(value)) found.add(value.id);
    if ('lastError' in value && 'applicationId' in value) addIfApplication(found, value.applicationId);
    if ('body' in value) addApplicationOfEvent(found, value.body);
    if (isDeliveryTarget(value)) events.set(`${value.keyId} ${value.eventId}`, value);
  });
  for (const { keyId, eventId } of events.values()) {
    const details = await operator.deliveries.find({ keyId, eventId });
    addApplicationOfEvent(found, details?.event.body);
  }
  for (const applicationId of found) await operator.candidates.reveal({ applicationId });
}

function visit(value: unknown, see: (value: object) => void): void {
  if (typeof value !== 'object' || value === null) return;
  see(value);
  for (const each of Object.values(value)) visit(each, see);
}

function addIfApplication(found: Set<ApplicationId>, id: unknown): void {
  if (typeof id === 'string' && isIdOfKind('application', id)) found.add(id);
}

function addApplicationOfEvent(found: Set<ApplicationId>, body: unknown): void {
  if (typeof body !== 'string') return;
  const { data } = JSON.parse(body) as { readonly data?: { readonly applicationId?: unknown } };
  addIfApplication(found, data?.applicationId);
}

function isDeliveryTarget(value: object): value is DeliveryTarget {
  if (!('keyId' in value && 'eventId' in value)) return false;
  return !isDeepStrictEqual(maskPersonalData(value), value);
}
