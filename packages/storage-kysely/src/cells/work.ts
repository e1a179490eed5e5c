import type { WorkRepository } from '@partner-hiring/core/ports';
import type { Cells } from './cells.js';
import { earliest } from './merge.js';

/** Work may be due in any cell. All cells share the notifications and the clock. */
export function workOf(cells: Cells): WorkRepository {
  return {
    announce: () => cells.home.work.announce(),
    findNext: async (withInbox) => {
      const found = await cells.readAll(({ work }) => work.findNext(withInbox));
      return {
        now: Math.max(...found.map(({ now }) => now)),
        dueAt: earliest(found.map(({ dueAt }) => dueAt)),
      };
    },
    findExpired: async (before) => {
      const found = await cells.readAll(({ work }) => work.findExpired(before));
      return [...new Set(found.flat())];
    },
  };
}
