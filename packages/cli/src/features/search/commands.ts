import type { FoundPerson, SearchKind, SearchResult } from '@partner-hiring/core';
import { libraryCommand } from '../../command/library-command.js';
import { type Columns, moment, tableReport } from '../../report/report.js';

/** The command `find`, which searches everything. */
export const findAnything = libraryCommand('system.search', (found) => {
  const texts = [...sectionsOf(found), ...incompleteText(found.incomplete)];
  const text =
    texts.length === 0
      ? 'Nothing found. A word may be a beginning, and needs two characters.'
      : texts.join('\n\n');
  return { value: found, text };
});

function sectionsOf(found: SearchResult): readonly string[] {
  return [
    section('People', found.people, {
      NEWEST: ({ application }) => application.id,
      NAME: nameOf,
      EMAIL: ({ application }) => application.candidate.email,
    }),
    section('Applications', found.applications, {
      ID: ({ id }) => id,
      CANDIDATE: (application) => nameOf({ application }),
      PARTNER: ({ keyLabel }) => keyLabel,
      JOB: ({ jobId, jobTitle }) => `${jobId} ${jobTitle}`,
      STATUS: ({ status }) => status,
      SUBMITTED: ({ submittedAt }) => moment(submittedAt),
    }),
    section('Partners', found.partners, { ID: ({ id }) => id, NAME: ({ name }) => name }),
    section('Keys', found.keys, { ID: ({ key }) => key.id, KEY: ({ label }) => label }),
    section('Companies', found.companies, {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      ENVIRONMENT: ({ environment }) => environment,
    }),
    section('Jobs', found.jobs, {
      ID: ({ id }) => id,
      TITLE: ({ title }) => title,
      COMPANY: ({ companyName }) => companyName,
      STATE: ({ state }) => state,
    }),
    section('Events', found.events, {
      ID: ({ id }) => id,
      TYPE: ({ type }) => type,
      KEY: ({ keyId, keyLabel }) => `${keyId} ${keyLabel}`,
      TIME: ({ at }) => moment(at),
    }),
    section('Requests', found.requests, {
      ID: ({ requestId }) => requestId,
      STATUS: ({ status }) => String(status),
      CODE: ({ code }) => code ?? '',
      TIME: ({ at }) => moment(at),
    }),
    section('Operations', found.operations, {
      ID: ({ id }) => id,
      KIND: ({ plan }) => plan.kind,
      STATE: ({ state }) => state,
      STARTED: ({ createdAt }) => moment(createdAt),
    }),
  ].flat();
}

function nameOf({ application: { candidate, erasedAt } }: FoundPerson): string {
  return erasedAt === null ? `${candidate.firstName} ${candidate.lastName}` : 'erased';
}

/** The heading and the table of a group. Empty for a group without rows. */
function section<Row>(title: string, rows: readonly Row[], columns: Columns<Row>): readonly string[] {
  return rows.length === 0 ? [] : [`${title}\n${tableReport(rows, columns, '').text}`];
}

function incompleteText(incomplete: readonly SearchKind[]): readonly string[] {
  if (incomplete.length === 0) return [];
  return [`There may be more in: ${incomplete.join(', ')}. Add a word, or use the list of the group.`];
}
