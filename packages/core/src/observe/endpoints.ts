import type { EndpointCommands } from '../operator/endpoints.js';
import type { Operator } from '../operator/operator.js';
import type { Logger, Telemetry } from '../ports/telemetry.js';

/** Counts pauses and resumes by reason. */
export interface EndpointObserver {
  paused(reason: string): void;
  /** `reason`: why it had been paused. */
  resumed(reason: string): void;
}

/** Builds the counters. */
export function createEndpointObserver(telemetry: Telemetry): EndpointObserver {
  const pauses = telemetry.counter({
    name: 'partner_hiring.endpoint.pauses',
    unit: '{pause}',
    description: 'Endpoints that were paused, by reason.',
  });
  const resumes = telemetry.counter({
    name: 'partner_hiring.endpoint.resumes',
    unit: '{resume}',
    description: 'Endpoints that were resumed, by the reason that had paused them.',
  });
  return {
    paused: (reason) => pauses(1, { 'partner_hiring.pause.reason': reason }),
    resumed: (reason) => resumes(1, { 'partner_hiring.pause.reason': reason }),
  };
}

/**
 * An operator whose pauses and resumes are counted and logged. Inside a transaction of the host they are
 * counted when they are called: nobody here learns of its commit.
 */
export function observeOperator<HostTx>(
  operator: Operator<HostTx>,
  observer: EndpointObserver,
  logger: Logger,
): Operator<HostTx> {
  return {
    ...operator,
    endpoints: { ...operator.endpoints, ...observeCommands(operator.endpoints, observer, logger) },
    within(hostTx) {
      const commands = operator.within(hostTx);
      return { ...commands, endpoints: observeCommands(commands.endpoints, observer, logger) };
    },
  };
}

function observeCommands(
  commands: EndpointCommands,
  observer: EndpointObserver,
  logger: Logger,
): EndpointCommands {
  return {
    ...commands,
    async pause(target) {
      const outcome = await commands.pause(target);
      if (outcome.changed) {
        observer.paused('operator');
        logger.warn({ keyId: target.keyId, reason: 'operator' }, 'The operator paused a webhook endpoint.');
      }
      return outcome;
    },
    async resume(target) {
      const outcome = await commands.resume(target);
      const { pausedReason: reason } = outcome;
      if (reason !== null) {
        observer.resumed(reason);
        logger.warn({ keyId: target.keyId, reason }, 'The operator resumed a webhook endpoint.');
      }
      return outcome;
    },
  };
}
