import type { DeliveryRepository } from '@partner-hiring/core/ports';
import { defineInsert } from '../../insert.js';
import type { Prepare } from '../../preparation.js';
import { attemptsToKeep, defineSaveAttempts } from './attempts.js';
import { DELIVERY_COLUMNS, fromDelivery } from './delivery-rows.js';

/** What is written of deliveries, each with the attempt that it tells of. */
export const prepareSaveDeliveries: Prepare<Pick<DeliveryRepository, 'save'>> = (preparation) => {
  const save = defineInsert(preparation, {
    table: 'ph_delivery',
    columns: DELIVERY_COLUMNS,
    finish: (insert) =>
      insert.onConflict((conflict) =>
        conflict.columns(['key_id', 'event_id']).doUpdateSet((eb) => ({
          event_at: eb.ref('excluded.event_at'),
          state: eb.ref('excluded.state'),
          attempts: eb.ref('excluded.attempts'),
          cycle: eb.ref('excluded.cycle'),
          due_at: eb.ref('excluded.due_at'),
          last_attempt_at: eb.ref('excluded.last_attempt_at'),
          last_outcome: eb.ref('excluded.last_outcome'),
          last_latency_ms: eb.ref('excluded.last_latency_ms'),
        })),
      ),
  });
  const saveAttempts = defineSaveAttempts(preparation);

  return (session) => ({
    save: (deliveries) =>
      session.write(async (run) => {
        await run.batch(save, deliveries.map(fromDelivery), {});
        await run.batch(saveAttempts, deliveries.flatMap(attemptsToKeep), {});
      }),
  });
};
