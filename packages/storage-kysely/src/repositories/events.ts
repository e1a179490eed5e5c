import type { EventRepository, PartnerEvent } from '@partner-hiring/core/ports';
import type { Columns } from '../dialect.js';
import { defineInsert } from '../insert.js';
import type { Prepare } from '../preparation.js';
import type { EventTable } from '../schema.js';
import { define } from '../statement.js';
import { prepareEventSweep } from './events/event-sweep.js';
import { prepareFindEvents } from './events/find-events.js';

const EVENT_COLUMNS: Columns<EventTable> = {
  key_id: 'text',
  at: 'integer',
  id: 'text',
  type: 'text',
  body: 'text',
};

/** The logs of events. */
export const prepareEvents: Prepare<EventRepository> = (preparation) => {
  const { announceWork } = preparation;
  const bindFind = prepareFindEvents(preparation);
  const bindSweep = prepareEventSweep(preparation);
  const announce = announceWork === null ? null : define(() => announceWork);
  const append = defineInsert(preparation, { table: 'ph_event', columns: EVENT_COLUMNS });

  return (session) => ({
    ...bindFind(session),
    ...bindSweep(session),
    append: (events) =>
      session.write(async (run) => {
        if (events.length === 0) return;
        // Sent together: neither waits for the other's answer.
        await Promise.all([
          run.batch(append, events.map(fromEvent), {}),
          announce === null ? null : run.all(announce, {}),
        ]);
      }),
  });
};

function fromEvent(event: PartnerEvent): EventTable {
  return { key_id: event.keyId, at: event.at, id: event.id, type: event.type, body: event.body };
}
