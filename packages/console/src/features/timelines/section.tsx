import type { InputOf } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import type { ShowSection } from '../../screens/sections.js';
import { NewsCard } from './news-card.js';
import { TimelineList } from './timeline-list.js';

/** Whether the partner knows the status of an application, and what happened to it. */
export const timelineOfApplication: ShowSection<'application'> = async ({ call, application }) => {
  const { id } = application;
  const timeline = await call.gate.call('timelines.find', { applicationId: id, limit: 200 });
  const { news, entries } = timeline;
  const shown = { call, timeline, kind: 'application', id, empty: 'Nothing happened yet.' } as const;
  return {
    top:
      news === null ? null : <NewsCard call={call} application={application} news={news} entries={entries} />,
    end: <TimelineList {...shown} isPaged={false} isOneList />,
  };
};

/** What happened to a job, for an actor for all partners. */
export const timelineOfJob: ShowSection<'job'> = ({ call, job: { id } }) =>
  call.gate.isForAllPartners
    ? showPart(call, ['job', id], { jobId: id, limit: 100 }, 'Nothing happened to this job in this time.')
    : {};

/** What happened to a key. Few entries, because the access and the secrets are above it. Links lead to earlier ones. */
export const timelineOfKey: ShowSection<'key'> = ({ call, keyId }) =>
  showPart(call, ['key', keyId], { keyId, limit: 30 }, 'Nothing happened in this time.');

async function showPart(
  call: ScreenCall,
  [kind, id]: readonly [kind: 'job' | 'key', id: string],
  target: InputOf<'timelines.find'>,
  empty: string,
) {
  const until = Date.parse(call.query.text('until') ?? '');
  const isEarlier = Number.isSafeInteger(until) && until > 0;
  const timeline = await call.gate.call('timelines.find', isEarlier ? { ...target, until } : target);
  return { end: <TimelineList call={call} timeline={timeline} kind={kind} id={id} empty={empty} /> };
}
