import type { ApplicationRepository } from '@partner-hiring/core/ports';
import type { Prepare } from '../preparation.js';
import { prepareApplicationLists } from './applications/application-lists.js';
import { prepareFindApplications } from './applications/find-applications.js';
import { prepareFindForPartners } from './applications/find-for-partners.js';
import { prepareSaveApplications } from './applications/save-applications.js';

/** Applications. What adds one belongs to its submission. */
export const prepareApplications: Prepare<ApplicationRepository> = (preparation) => {
  const bindFind = prepareFindApplications(preparation);
  const bindFindForPartners = prepareFindForPartners(preparation);
  const bindLists = prepareApplicationLists(preparation);
  const bindSave = prepareSaveApplications(preparation);

  return (session) => ({
    ...bindFind(session),
    ...bindFindForPartners(session),
    ...bindLists(session),
    ...bindSave(session),
  });
};
