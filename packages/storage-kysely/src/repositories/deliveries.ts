import type { DeliveryRepository } from '@partner-hiring/core/ports';
import type { Prepare } from '../preparation.js';
import { prepareAttempts } from './deliveries/attempts.js';
import { prepareDeliveryLists } from './deliveries/delivery-lists.js';
import { prepareDeliverySweep } from './deliveries/delivery-sweep.js';
import { prepareDueDeliveries } from './deliveries/due-deliveries.js';
import { prepareFindDeliveries } from './deliveries/find-deliveries.js';
import { prepareSaveDeliveries } from './deliveries/save-deliveries.js';

/** Deliveries that need a row. */
export const prepareDeliveries: Prepare<DeliveryRepository> = (preparation) => {
  const bindFind = prepareFindDeliveries(preparation);
  const bindDue = prepareDueDeliveries(preparation);
  const bindLists = prepareDeliveryLists(preparation);
  const bindAttempts = prepareAttempts(preparation);
  const bindSave = prepareSaveDeliveries(preparation);
  const bindSweep = prepareDeliverySweep(preparation);

  return (session) => ({
    ...bindFind(session),
    ...bindDue(session),
    ...bindLists(session),
    ...bindAttempts(session),
    ...bindSave(session),
    ...bindSweep(session),
  });
};
