import type { RefusedItem } from '@partner-hiring/core';
import { cursorOf, type ListDeclaration } from '../../screens/parts/define-list.js';
import { COUNTED, queueOf, toWaiting } from '../../screens/queues/queue.js';
import { ONLY_FOR_ALL } from '../../screens/queues/waiting-applications.js';
import { refusedActs, refusedColumns } from './section.js';

/** Items of the inbox that the hiring platform refused for a day. */
const PARKED: ListDeclaration<RefusedItem> = {
  title: 'Parked inbox items',
  path: '/queues/parked',
  fields: [],
  read: async (call, fields) => {
    const { gate } = call;
    if (!gate.isForAllPartners) return ONLY_FOR_ALL;
    return {
      ...(await gate.call('inbox.list', { state: 'parked', cursor: cursorOf(fields) })),
      caption: 'Applications that the hiring platform refused for a day',
      empty: 'Nothing is parked: the hiring platform has refused no application for a day.',
      columns: refusedColumns(call),
      acts: (item) => refusedActs(call, item),
    };
  },
};

/** The queue of these items. */
export const parkedQueue = queueOf(PARKED, {
  right: 'inbox:read',
  read: async (gate) => toWaiting(await gate.call('inbox.list', { state: 'parked', ...COUNTED })),
});
