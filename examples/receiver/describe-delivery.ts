import type { PartnerEvent } from '@partner-hiring/webhook-verifier';
import { harmless } from '../server/console-output.js';
import type { ReceivedDelivery } from './receiver.js';

/** Formats a delivery as one safe line for a terminal. */
export function describeDelivery(delivery: ReceivedDelivery): string {
  return harmless(describe(delivery));
}

function describe(delivery: ReceivedDelivery): string {
  switch (delivery.kind) {
    case 'refused':
      return `refused with 400, ${delivery.reason}: ${delivery.hint}`;
    case 'repeated':
      return `${delivery.event.type}  ${delivery.event.id} again, skipped`;
    case 'new':
      return `${delivery.event.type}  ${describeEvent(delivery.event)}`;
  }
}

/** Describes an event. Unknown types are accepted too, because v1 can grow. */
export function describeEvent(event: PartnerEvent): string {
  switch (event.type) {
    case 'application.status_changed': {
      const { applicationId, sourceApplicationId, oldStatus, newStatus, currentStage } = event.data;
      const yours = sourceApplicationId === null ? '' : ` (yours: ${sourceApplicationId})`;
      return `${applicationId}${yours} went from ${oldStatus} to ${newStatus}: ${currentStage}`;
    }
    case 'job.opened':
      return `${event.data.jobId} at ${event.data.companyId}: ${event.data.title}`;
    case 'job.closed':
      return `${event.data.jobId} at ${event.data.companyId}: ${event.data.reason}`;
    default:
      return `${event.id}, an event type that this receiver does not know`;
  }
}
