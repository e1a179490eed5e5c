import type { ListedHeldJob } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { cursorOf, defineList } from '../../screens/parts/define-list.js';
import { filterOf } from '../../screens/parts/list-filter.js';
import { NamedLink } from '../../screens/parts/names.js';
import { countText, StateBadge } from '../../view/parts.js';
import { heldByCompany } from './held-by-company.js';
import { RunFigures } from './section.js';
import { heldRun, missingRule, SYNC_PATH } from './texts.js';

/** The path of the list. */
export const HELD_PATH = `${SYNC_PATH}/held`;

const FILTER = filterOf('jobs.listHeld', [{ name: 'company', label: LABELS.companyId }]);

/** The jobs that a held sync has kept open, and what else the next run does. */
export const showHeldJobs = defineList<ListedHeldJob>({
  title: 'Jobs that the held sync would close',
  path: HELD_PATH,
  fields: FILTER.fields,
  read: async (call, fields) => {
    const read = FILTER.read(fields);
    if ('problem' in read) return read;
    const page = await call.gate.call('jobs.listHeld', { ...read.filter, cursor: cursorOf(fields) });
    return {
      ...page,
      before: <WhatNext call={call} />,
      caption: 'Open jobs that the source no longer lists, by company',
      empty: 'The last held sync has kept no job of this company open.',
      none: 'The job sync holds no job back.',
      columns: [
        {
          header: LABELS.one.company,
          cell: ({ companyId, companyName }) => (
            <NamedLink href={call.at(HELD_PATH, { company: companyId })} name={companyName} id={companyId} />
          ),
        },
        {
          header: LABELS.one.job,
          cell: ({ jobId, jobTitle }) => (
            <NamedLink href={call.link('jobs', `/${jobId}`)} name={jobTitle} id={jobId} />
          ),
        },
        { header: LABELS.state, cell: ({ state }) => <StateBadge state={state ?? 'deleted'} /> },
      ],
    };
  },
});

async function WhatNext({ call }: { readonly call: ScreenCall }) {
  const held = heldRun(await call.gate.call('jobs.syncs.last', { refusedLimit: 0 }));
  if (held === null) return <p>A later run has ended since. Open the job sync to see it.</p>;
  const close = missingRule(held) === 'archive' ? 'archives' : 'closes';
  return (
    <>
      <p>{`The held run has saved these changes of the source. Once somebody allows it, the next run ${close} up to ${countText(held.sync?.missing ?? 0)} jobs, tells each partner that sees one of them, and takes what the source has changed since.`}</p>
      <p>{`${await heldByCompany(call.gate)}.`}</p>
      <RunFigures operation={held} />
    </>
  );
}
