import type { Storage } from '@partner-hiring/core/ports';
import type { Dialect } from './dialect.js';
import type { Driver } from './driver.js';
import { itemsOf } from './items.js';
import { prepareRepositories } from './repositories.js';
import { createDirectSession, createHostSession, createTransactionSession } from './session.js';

/** The storage of a database, from its way of saying things and its connections. */
export function createKyselyStorage<HostTx>(dialect: Dialect, driver: Driver<HostTx>): Storage<HostTx> {
  const preparation = { ...dialect, items: itemsOf(dialect.batches), now: driver.now };
  const bind = prepareRepositories(preparation);
  return {
    direct: bind(createDirectSession(driver)),
    transaction: (work) => driver.write((ways) => work(bind(createTransactionSession(ways)))),
    within: (hostTx) => bind(createHostSession(driver.adopt(hostTx))),
    close: driver.close,
  };
}
