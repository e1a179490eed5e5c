/** Compiled, not run: the verifier's types accept every delivery of the document. */
import type { KnownEvent } from '@partner-hiring/webhook-verifier';
import type { EventData, EventType } from '../../packages/core/src/domain/event.js';

type Delivered = {
  [Type in EventType]: {
    readonly id: string;
    readonly type: Type;
    readonly createdAt: string;
    readonly apiVersion: 'v1';
    readonly data: EventData[Type];
  };
}[EventType];

export const asVerified = (event: Delivered): KnownEvent => event;
