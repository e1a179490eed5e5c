import type { OwnKey } from '@partner-hiring/core';
import type { Notices } from '../http/notices.js';
import type { RunAction, Screen } from '../http/screen.js';
import type { Advice, PortalCall, PortalScreen } from '../portal/portal-call.js';
import type { WaitingQueue } from '../screens/queues/queue.js';
import type { SectionParts, Sections, ShowSection } from '../screens/sections.js';
import { alertsOfOverview, alertsScreen } from './alerts/screen.js';
import { auditScreen } from './audit/screen.js';
import { rotateSecretsOfPartner, rotationOfPartner } from './bulk/rotate-act.js';
import { bulkNotices, bulkScreen } from './bulk/screen.js';
import { accessOfCompanies, accessOfCompany, manyApplications, manyEndpoints } from './bulk/section.js';
import { parkedQueue } from './inbox/queue.js';
import { inboxNotices } from './inbox/section.js';
import { jobSyncNotices } from './jobs-sync/actions.js';
import { jobSyncScreen } from './jobs-sync/screen.js';
import { sourceOfJob, syncOfJobs, syncOfOverview } from './jobs-sync/section.js';
import { operationNotices } from './operations/operation-page.js';
import { operationsScreen } from './operations/screen.js';
import { makePortalLink, portalLinkOfPartner } from './portal/section.js';
import { eraseOfApplication, privacyNotices } from './privacy/erase-act.js';
import { peopleScreen } from './privacy/screen.js';
import { candidateOfApplication } from './privacy/section.js';
import { adviseOnGoLive } from './readiness/advice.js';
import { portalGoLiveScreen } from './readiness/portal-screen.js';
import { probeKey, readinessNotices, readinessOfKey } from './readiness/section.js';
import { adviseOnRequests } from './request-log/advice.js';
import { portalRequestsScreen } from './request-log/portal-screen.js';
import { requestsScreen } from './request-log/screen.js';
import { readsOfKey, refusedRequests } from './request-log/section.js';
import { failedResumes } from './resumes/queue.js';
import { resumeActs, resumeNotices, resumeOfApplication } from './resumes/section.js';
import { searchScreen } from './search/screen.js';
import { systemScreen } from './system/screen.js';
import { newsActs, newsNotices } from './timelines/news-acts.js';
import { timelineOfApplication, timelineOfJob, timelineOfKey } from './timelines/section.js';

/** The declaration of a feature for the console and the portal. */
interface ConsoleFeature {
  /** The name of its room, here and in core. */
  readonly name: string;
  readonly screens?: readonly Screen[];
  readonly sections?: { readonly [Place in keyof Sections]?: ShowSection<Place> };
  /** The acts of the sections, by path. Each belongs to the screen of its page. */
  readonly acts?: { readonly [Place in keyof Sections]?: Readonly<Record<string, RunAction>> };
  /** The sentences that the next page shows after its acts. */
  readonly notices?: { readonly sentences: Notices };
  /** Its queues of things that wait for somebody. Each has a list. */
  readonly queues?: readonly WaitingQueue[];
  /** Screens of the portal, each with the name of the screen that stands before it. */
  readonly portalScreens?: readonly { readonly after: string; readonly screen: PortalScreen }[];
  /** Says on the portal what the partner should do. */
  readonly advise?: (call: PortalCall, keys: readonly OwnKey[]) => Promise<readonly Advice[]>;
}

/** All features. Their order is that of the navigation, and of what several of them add to one place. */
export const CONSOLE_FEATURES: readonly ConsoleFeature[] = [
  {
    name: 'jobs-sync',
    screens: [jobSyncScreen],
    sections: { job: sourceOfJob, jobs: syncOfJobs, overview: syncOfOverview },
    notices: jobSyncNotices,
  },
  {
    name: 'request-log',
    screens: [requestsScreen],
    sections: { key: readsOfKey, overview: refusedRequests },
    portalScreens: [{ after: 'home', screen: portalRequestsScreen }],
    advise: adviseOnRequests,
  },
  {
    name: 'readiness',
    sections: { key: readinessOfKey },
    acts: { key: { '/keys/:key/probe': probeKey } },
    notices: readinessNotices,
    portalScreens: [{ after: 'keys', screen: portalGoLiveScreen }],
    advise: adviseOnGoLive,
  },
  { name: 'operations', screens: [operationsScreen], notices: operationNotices },
  {
    name: 'bulk',
    screens: [bulkScreen],
    sections: {
      applications: manyApplications,
      companies: accessOfCompanies,
      company: accessOfCompany,
      endpoints: manyEndpoints,
      partner: rotationOfPartner,
    },
    acts: { partner: { '/partners/:id/rotate-secrets': rotateSecretsOfPartner } },
    notices: bulkNotices,
  },
  { name: 'system', screens: [systemScreen] },
  { name: 'alerts', screens: [alertsScreen], sections: { overview: alertsOfOverview } },
  { name: 'audit', screens: [auditScreen] },
  { name: 'search', screens: [searchScreen] },
  {
    name: 'timelines',
    sections: { application: timelineOfApplication, job: timelineOfJob, key: timelineOfKey },
    acts: { application: newsActs },
    notices: newsNotices,
  },
  {
    name: 'privacy',
    screens: [peopleScreen],
    sections: { application: candidateOfApplication },
    acts: { application: { '/applications/:id/erase': eraseOfApplication } },
    notices: privacyNotices,
  },
  {
    name: 'resumes',
    sections: { application: resumeOfApplication },
    acts: { application: resumeActs },
    notices: resumeNotices,
    queues: [failedResumes],
  },
  { name: 'inbox', queues: [parkedQueue], notices: inboxNotices },
  {
    name: 'portal',
    sections: { partner: portalLinkOfPartner },
    acts: { partner: { '/partners/:id/portal-link': makePortalLink } },
  },
];

/** The sentences of all features. */
export const NOTICES_OF_FEATURES = CONSOLE_FEATURES.flatMap(({ notices }) => notices?.sentences ?? []);

/** Returns what the features show on a page. */
export function sectionsOf<Place extends keyof Sections>(
  place: Place,
  page: Sections[Place],
): Promise<readonly SectionParts[]> {
  return Promise.all(CONSOLE_FEATURES.flatMap(({ sections }) => sections?.[place]?.(page) ?? []));
}

/** Returns the acts of these sections, by path. */
export function actsOf(place: keyof Sections): Readonly<Record<string, RunAction>> {
  return Object.fromEntries(CONSOLE_FEATURES.flatMap(({ acts }) => Object.entries(acts?.[place] ?? {})));
}
