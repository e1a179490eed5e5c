import type { ApplicationId, ErasureReceipt, ListedApplication } from '@partner-hiring/core';
import type { Gate, Person } from '../../gate/gate.js';
import { mustFind, NothingHere } from '../../gate/refusals.js';
import type { DownloadedFile, Fields, RunAction, ScreenAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { defineAct, goTo, pageOfAct, withoutPage } from '../../screens/parts/define-act.js';
import { countText } from '../../view/parts.js';
import { inboxPart, privacyNotices } from './erase-act.js';
import { findErasedTogether } from './erased-person.js';

/** By which of the two the applications of a person are found. */
export function byOf(fields: Fields): Person['by'] {
  return fields.text('by') === 'phone' ? 'phone' : 'email';
}

/** By what the applications are found, in words. */
export function nameOfBy(by: Person['by']): string {
  return by === 'email' ? 'e-mail address' : 'phone number';
}

function maskedName({ candidate }: ListedApplication): string {
  return `${candidate.firstName} ${candidate.lastName}`;
}

/** Warns of applications that may be of several people. Null if all have one name. */
export function severalNames(items: readonly ListedApplication[], by: Person['by']): string | null {
  const names = items.map(maskedName);
  const count = new Set(names).size;
  if (count < 2) return null;
  return `These applications share this ${nameOfBy(by)}, but have ${countText(count)} names: ${distinct(names)}. Erase them all only if they are of one person.`;
}

function personOf(call: ScreenAction): Person {
  return { id: call.param('id') as ApplicationId, by: byOf(call.form) };
}

const eraseAll = defineAct<Person>({
  find: personOf,
  ask: async (person, { gate }) => {
    gate.require('candidates:erase');
    const { items, nextCursor } = await gate.callForPerson('applications.list', person);
    return {
      title: `Erase all applications with this ${nameOfBy(person.by)}?`,
      warning: severalNames(items, person.by),
      text:
        'Erases the name, e-mail address, phone number, answers and résumé of each of these applications. This cannot be ' +
        'undone. The applications stay with their status and the partners’ own ids.',
      facts: [
        [LABELS.one.candidate, distinct(items.map(maskedName))],
        ['Found by', nameOfBy(person.by)],
        [LABELS.all.applications, countText(items.length, nextCursor === null)],
        [LABELS.all.partners, distinct(items.map(({ partnerName }) => partnerName))],
        [
          LABELS.all.jobs,
          distinct(items.map(({ jobTitle, companyName }) => `${jobTitle} at ${companyName}`)),
        ],
      ],
      confirm: 'Erase all',
      isFinal: true,
    };
  },
  run: async (person, call) => {
    const { applications, notice } = await call.gate.callForPerson('candidates.erase', person);
    const erased = [privacyNotices.done('candidates-erased'), applications.length] as const;
    return goTo(pageOfAct(call), erased, inboxPart(notice));
  },
});

const MOST_NAMED = 10;

function distinct(names: readonly string[]): string {
  const all = [...new Set(names)];
  const more = all.length - MOST_NAMED;
  return `${all.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${countText(more)} more` : ''}`;
}

/** Downloads everything that is stored about a person. The audit first records who saw each application. */
async function exportPerson(call: ScreenAction): Promise<DownloadedFile> {
  const { gate } = call;
  gate.require('candidates:export');
  const person = personOf(call);
  const { items } = await gate.callForPerson('applications.list', person);
  for (const { id } of items) await gate.call('candidates.reveal', { applicationId: id });
  const exported = await gate.callForPerson('candidates.export', person);
  return jsonFile(`person-${person.id}.json`, exported);
}

/** Erasing again changes nothing, and returns the receipt of the first time. */
async function downloadReceipt(call: ScreenAction): Promise<DownloadedFile> {
  const { gate } = call;
  gate.require('candidates:erase');
  if (!gate.isForAllPartners) throw new NothingHere();
  const id = call.param('id') as ApplicationId;
  const application = await mustFind(gate.call('applications.find', { id }));
  if (application.erasedAt === null) throw new NothingHere();
  const erased = await findErasedTogether(gate, application);
  const receipts = await Promise.all(
    erased.map((each) => gate.call('candidates.erase', { applicationId: each.id })),
  );
  return jsonFile(`receipt-${id}.json`, {
    erasedBy: await actorsOf(gate, id),
    receipts: receipts.map(inIsoTime),
  });
}

/** Returns who erased an application, with the reason that they gave. Null without the right to read the audit. */
async function actorsOf(gate: Gate, id: ApplicationId) {
  if (!gate.may('audit:read')) return null;
  const { items } = await gate.call('audit.list', { object: { kind: 'application', id } });
  return items
    .filter(({ act }) => act === 'candidates.erase' || act === 'candidates.eraseMany')
    .map(({ at, actor: { id: actorId, name, reason } }) => ({
      at: new Date(at).toISOString(),
      id: actorId,
      name,
      reason,
    }));
}

/** Writes the instants of a receipt as ISO 8601. */
function inIsoTime(receipt: ErasureReceipt): unknown {
  return JSON.parse(
    JSON.stringify(receipt, (name, value) =>
      typeof value === 'number' && /^at$|At$/.test(name) ? new Date(value).toISOString() : value,
    ),
  );
}

function jsonFile(name: string, value: unknown): DownloadedFile {
  return { kind: 'json', name, text: `${JSON.stringify(value, null, 2)}\n` };
}

/** The acts on all applications of a person. */
export const peopleActions: Readonly<Record<string, RunAction>> = {
  '/people/:id/erase': eraseAll,
  '/people/:id/export': withoutPage(exportPerson),
  '/people/:id/receipt': withoutPage(downloadReceipt),
};
